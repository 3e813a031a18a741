#include "gui/widgets/comparison_window.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStatusBar>
#include <QVBoxLayout>

#include "core/error.h"
#include "core/files.h"
#include "gui/widgets/comparison_form.h"
#include "gui/widgets/comparison_process.h"
#include "gui/widgets/result_table.h"

namespace reducelab {

ComparisonWindow::ComparisonWindow() {
  setWindowTitle(tr("reducelab"));
  process_ = new ComparisonProcess(this);
  busy_ = new QProgressBar;
  busy_->setRange(0, 0);
  busy_->setMaximumWidth(160);
  busy_->hide();
  statusBar()->addPermanentWidget(busy_);
  tick_.setInterval(1000);

  auto* splitter = new QSplitter;
  splitter->addWidget(leftSide());
  splitter->addWidget(rightSide());
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({360, 880});
  splitter->setChildrenCollapsible(false);
  setCentralWidget(splitter);
  resize(1240, 640);

  connect(form_, &ComparisonForm::changed, this, &ComparisonWindow::showState);
  connect(process_, &ComparisonProcess::done, this, &ComparisonWindow::showResult);
  connect(process_, &ComparisonProcess::failed, this, &ComparisonWindow::showFault);
  connect(&tick_, &QTimer::timeout, this, &ComparisonWindow::showElapsed);
  showState();
  statusBar()->showMessage(tr("Choose a cluster and press Run (Ctrl+Return)."));
}

QWidget* ComparisonWindow::leftSide() {
  form_ = new ComparisonForm;
  run_ = new QPushButton(tr("&Run"));
  run_->setShortcut(tr("Ctrl+Return"));
  run_->setToolTip(tr("Simulate every size and algorithm (Ctrl+Return)"));
  cancel_ = new QPushButton(tr("Ca&ncel"));
  cancel_->setShortcut(Qt::Key_Escape);
  cancel_->setToolTip(tr("Stop the simulations (Esc)"));
  connect(run_, &QPushButton::clicked, this, &ComparisonWindow::start);
  connect(cancel_, &QPushButton::clicked, this, &ComparisonWindow::cancel);

  auto* side = new QWidget;
  auto* layout = new QVBoxLayout(side);
  layout->addWidget(form_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(run_);
  buttons->addWidget(cancel_);
  layout->addLayout(buttons);
  return side;
}

QWidget* ComparisonWindow::rightSide() {
  command_ = new QLineEdit;
  command_->setReadOnly(true);
  command_->setAccessibleName(tr("The same on the command line"));
  command_->setToolTip(command_->accessibleName());
  auto* copy = new QPushButton(tr("C&opy"));
  copy->setToolTip(tr("Copy the command line"));
  connect(copy, &QPushButton::clicked, this, [this] {
    QGuiApplication::clipboard()->setText(command_->text());
    statusBar()->showMessage(tr("The command line is on the clipboard."));
  });
  caption_ = new QLabel(tr("No comparison yet"));
  caption_->setTextFormat(Qt::PlainText);
  caption_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  metric_ = new QComboBox;
  metric_->addItems({tr("bus bandwidth, GB/s"), tr("time")});
  connect(metric_, &QComboBox::currentIndexChanged, this, &ComparisonWindow::showTable);
  auto* show = new QLabel(tr("Sho&w"));
  show->setBuddy(metric_);
  export_ = new QPushButton(tr("E&xport CSV..."));
  connect(export_, &QPushButton::clicked, this, &ComparisonWindow::exportCsv);
  table_ = new ResultTable;
  notes_ = new QPlainTextEdit;
  notes_->setReadOnly(true);
  notes_->setTabChangesFocus(true);
  notes_->setAccessibleName(tr("Notes and errors"));
  notes_->setMaximumHeight(90);
  notes_->hide();

  auto* side = new QWidget;
  auto* layout = new QVBoxLayout(side);
  auto* commandRow = new QHBoxLayout;
  commandRow->addWidget(command_, 1);
  commandRow->addWidget(copy);
  layout->addLayout(commandRow);
  auto* tableRow = new QHBoxLayout;
  tableRow->addWidget(caption_, 1);
  tableRow->addWidget(show);
  tableRow->addWidget(metric_);
  tableRow->addWidget(export_);
  layout->addLayout(tableRow);
  layout->addWidget(table_, 1);
  layout->addWidget(notes_);
  return side;
}

void ComparisonWindow::showState() {
  const bool running = process_->isRunning();
  command_->setText(QString::fromStdString(command_line(form_->request())));
  command_->setCursorPosition(0);
  run_->setEnabled(!running && form_->isValid());
  cancel_->setEnabled(running);
  export_->setEnabled(!comparison_.cells.empty());
  busy_->setVisible(running);
}

void ComparisonWindow::start() {
  if (!form_->isValid() || process_->isRunning()) return;
  started_ = form_->request();
  showNotes("");
  elapsed_.start();
  tick_.start();
  process_->start(started_);
  showElapsed();
  showState();
}

void ComparisonWindow::cancel() {
  process_->cancel();
}

void ComparisonWindow::showElapsed() {
  statusBar()->showMessage(tr("Simulating... %1 s").arg(elapsed_.elapsed() / 1000));
}

void ComparisonWindow::showResult(const Comparison& comparison) {
  tick_.stop();
  comparison_ = comparison;
  const QString ranks = started_.ranks > 0 ? tr("%1 ranks").arg(started_.ranks) : tr("all places");
  caption_->setText(tr("%1, %2, %3, %4")
                        .arg(QString::fromStdString(started_.topology), ranks,
                             QString::fromStdString(started_.profile),
                             QString::fromStdString(started_.type)));
  caption_->setToolTip(caption_->text());
  showTable();
  QStringList remarks;
  for (const std::string& remark : comparison.remarks) remarks << QString::fromStdString(remark);
  showNotes(remarks.join('\n'));
  statusBar()->showMessage(tr("%1 simulations done in %2 s; the fastest of each size is bold.")
                               .arg(comparison.cells.size())
                               .arg(static_cast<double>(elapsed_.elapsed()) / 1000, 0, 'f', 1));
  showState();
  emit finished("");
}

void ComparisonWindow::showFault(const QString& fault) {
  tick_.stop();
  showNotes(fault);
  statusBar()->showMessage(tr("No result: see the message below the table."));
  showState();
  emit finished(fault);
}

void ComparisonWindow::showNotes(const QString& text) {
  notes_->setPlainText(text);
  notes_->setVisible(!text.isEmpty());
}

void ComparisonWindow::showTable() {
  table_->setComparison(comparison_, metric_->currentIndex() == 1 ? ResultTable::Metric::time
                                                                  : ResultTable::Metric::busbw);
}

void ComparisonWindow::exportCsv() {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Export the table"), "comparison.csv", "CSV (*.csv)");
  if (path.isEmpty()) return;
  try {
    write_file_atomically(path.toStdString(), to_csv(comparison_));
    statusBar()->showMessage(tr("Written to %1").arg(path));
  } catch (const Error& error) {
    showNotes(QString::fromUtf8(error.what()));
  }
}

}  // namespace reducelab
