#include <gtest/gtest.h>

#include <QApplication>
#include <QEventLoop>
#include <QPlainTextEdit>
#include <QProcess>
#include <QTimer>
#include <csignal>

#include "gui/widgets/comparison_form.h"
#include "gui/widgets/comparison_process.h"
#include "gui/widgets/comparison_window.h"
#include "gui/widgets/result_table.h"

namespace reducelab {
namespace {

constexpr int kPatienceMs = 50'000;

ComparisonRequest small_request() {
  ComparisonRequest request;
  request.topology = "single-switch:hosts=4";
  request.profile = "ideal";
  request.sizes = "1KiB,4MiB";
  request.algorithms = {"linear", "ring"};
  return request;
}

ComparisonRequest long_request() {
  ComparisonRequest request;
  request.topology = "single-switch:hosts=512";
  request.sizes = "1KiB:1GiB:x2";
  return request;
}

/// Runs the event loop until `signal`; false if that never comes.
template <class Object, class Signal>
bool wait_for(Object* object, Signal signal, int limit_ms = kPatienceMs) {
  QEventLoop loop;
  QObject::connect(object, signal, &loop, [&loop] { loop.exit(0); });
  QTimer::singleShot(limit_ms, &loop, [&loop] { loop.exit(1); });
  return loop.exec() == 0;
}

/// Starts the comparison and returns the fault it ended with; `midway` is called while it runs.
template <class Midway>
QString ending_of(ComparisonWindow& window, Midway midway) {
  QString fault = "it never ended";
  const QObject call;  // the connections end with it
  QObject::connect(&window, &ComparisonWindow::finished, &call,
                   [&fault](const QString& said) { fault = said; });
  const auto* process = window.findChild<QProcess*>();
  QObject::connect(process, &QProcess::started, &call, midway);
  window.start();
  wait_for(&window, &ComparisonWindow::finished);
  return fault;
}

QString shown_notes(const ComparisonWindow& window) {
  return window.findChild<QPlainTextEdit*>()->toPlainText();
}

TEST(ComparisonWindow, shows_every_result_and_sets_the_fastest_of_each_size_in_bold) {
  ComparisonWindow window;
  window.form()->setRequest(small_request());
  ASSERT_EQ(ending_of(window, [] {}).toStdString(), "");
  const auto* table = window.findChild<ResultTable*>();
  ASSERT_EQ(table->rowCount(), 2);
  ASSERT_EQ(table->columnCount(), 2);
  EXPECT_EQ(table->verticalHeaderItem(1)->text().toStdString(), "4MiB");
  for (int row = 0; row < 2; ++row) {
    const bool first_wins =
        table->item(row, 0)->text().toDouble() > table->item(row, 1)->text().toDouble();
    EXPECT_EQ(table->item(row, 0)->font().bold(), first_wins) << row;
    EXPECT_EQ(table->item(row, 1)->font().bold(), !first_wins) << row;
  }
}

TEST(ComparisonWindow, shows_what_the_command_complains_of) {
  ComparisonWindow window;
  ComparisonRequest request = small_request();
  request.profile = "nosuch";
  window.form()->setRequest(request);
  const QString fault = ending_of(window, [] {});
  EXPECT_TRUE(fault.startsWith("unknown profile \"nosuch\"")) << fault.toStdString();
  EXPECT_EQ(shown_notes(window), fault);
}

TEST(ComparisonWindow, cancels_a_run_and_can_run_again) {
  ComparisonWindow window;
  window.form()->setRequest(long_request());
  EXPECT_EQ(ending_of(window, [&window] { window.cancel(); }).toStdString(), "cancelled");
  window.form()->setRequest(small_request());
  EXPECT_EQ(ending_of(window, [] {}).toStdString(), "");
  EXPECT_EQ(shown_notes(window).toStdString(), "");
}

TEST(ComparisonWindow, says_that_the_command_crashed) {
  ComparisonWindow window;
  window.form()->setRequest(long_request());
  auto* process = window.findChild<QProcess*>();
  const QString fault =
      ending_of(window, [process] { ::kill(static_cast<pid_t>(process->processId()), SIGSEGV); });
  EXPECT_TRUE(fault.contains("the reducelab command crashed (signal 11)")) << fault.toStdString();
}

TEST(ComparisonWindow, can_be_closed_during_a_run) {
  qint64 process = 0;
  {
    ComparisonWindow window;
    window.form()->setRequest(long_request());
    window.start();
    process = window.findChild<QProcess*>()->processId();
    ASSERT_GT(process, 0);
  }
  EXPECT_EQ(::kill(static_cast<pid_t>(process), 0), -1) << "it still runs";
}

TEST(ComparisonForm, refuses_bad_sizes_as_they_are_typed) {
  ComparisonForm form;
  ComparisonRequest request = small_request();
  request.sizes = "1KiB:";
  form.setRequest(request);
  EXPECT_FALSE(form.isValid());
  request.sizes = "1KiB";
  form.setRequest(request);
  EXPECT_TRUE(form.isValid()) << form.faults().toStdString();
}

TEST(ComparisonForm, finds_a_wrong_topology_soon_after_it_is_typed) {
  ComparisonForm form;
  ComparisonRequest request = small_request();
  request.topology = "single-swich:hosts=4";
  form.setRequest(request);
  ASSERT_TRUE(wait_for(&form, &ComparisonForm::changed));
  EXPECT_FALSE(form.isValid());
  EXPECT_TRUE(form.faults().contains("did you mean \"single-switch\"?"))
      << form.faults().toStdString();
}

TEST(ComparisonForm, tab_goes_from_top_to_bottom) {
  ComparisonForm form;
  form.resize(360, 600);
  form.show();
  int last = -1;
  int stops = 0;
  for (QWidget* at = form.nextInFocusChain(); at != &form; at = at->nextInFocusChain()) {
    if ((at->focusPolicy() & Qt::TabFocus) == 0 || !at->isVisibleTo(&form)) continue;
    const int middle = at->mapTo(&form, at->rect().center()).y();
    EXPECT_GE(middle, last - 3) << at->metaObject()->className() << " " << stops;
    last = middle;
    ++stops;
  }
  EXPECT_GE(stops, 8);
}

}  // namespace
}  // namespace reducelab

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
