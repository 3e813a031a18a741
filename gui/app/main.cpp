#include <QApplication>
#include <QCommandLineParser>
#include <QSettings>
#include <QTimer>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <vector>

#include "gui/app/last_request.h"
#include "gui/widgets/comparison_form.h"
#include "gui/widgets/comparison_window.h"

namespace reducelab {
namespace {

using Words = std::vector<std::string_view>;

bool holds(const Words& words, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(words, [&](std::string_view word) {
    return std::ranges::any_of(wanted, [&](std::string_view each) {
      return word == each || word.substr(0, word.find('=')) == each;
    });
  });
}

/// Without a display Qt would abort; a person on a server shall get a sentence instead.
bool has_display(const Words& words) {
#ifdef Q_OS_LINUX
  return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
         qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || holds(words, {"-platform", "--platform"});
#else
  return !words.empty();
#endif
}

void save_picture(ComparisonWindow& window, const QString& file, const QString& fault) {
  if (!fault.isEmpty()) std::fprintf(stderr, "reducelab-gui: %s\n", qPrintable(fault));
  const bool saved = window.grab().save(file, "PNG");
  if (!saved) std::fprintf(stderr, "reducelab-gui: cannot write %s\n", qPrintable(file));
  QCoreApplication::exit(fault.isEmpty() && saved ? 0 : 4);
}

ComparisonRequest small_request() {
  ComparisonRequest request;
  request.topology = "dgx-h100:nodes=2";
  request.sizes = "1KiB:4MiB:x16";
  request.algorithms = {"ring", "double-tree", "rabenseifner"};
  return request;
}

int show_window(const QString& picture) {
  ComparisonWindow window;
  if (!picture.isEmpty()) {
    window.form()->setRequest(small_request());
    QObject::connect(
        &window, &ComparisonWindow::finished, &window,
        [&](const QString& fault) { save_picture(window, picture, fault); }, Qt::QueuedConnection);
    QTimer::singleShot(0, &window, &ComparisonWindow::start);
    window.show();
    return QApplication::exec();
  }
  QSettings settings;
  window.form()->setRequest(load_request(settings));
  window.show();
  const int code = QApplication::exec();
  save_request(settings, window.form()->request());
  return code;
}

}  // namespace
}  // namespace reducelab

int main(int argc, char** argv) {
  const reducelab::Words words(argv + 1, argv + argc);
  const bool asks_only = reducelab::holds(words, {"-h", "--help", "--help-all", "-v", "--version"});
  if (!asks_only && !reducelab::has_display(words)) {
    if (!reducelab::holds(words, {"--screenshot"})) {
      std::fputs("reducelab-gui: no display here (DISPLAY and WAYLAND_DISPLAY are not set)\n",
                 stderr);
      return 3;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
  }
  std::unique_ptr<QCoreApplication> application;
  if (asks_only) {
    application = std::make_unique<QCoreApplication>(argc, argv);
  } else {
    application = std::make_unique<QApplication>(argc, argv);
  }
  QCoreApplication::setOrganizationName("reducelab");
  QCoreApplication::setApplicationName("reducelab-gui");
  QCoreApplication::setApplicationVersion(REDUCELAB_VERSION);
  QCommandLineParser parser;
  parser.setApplicationDescription("Compares all-reduce algorithms on a simulated cluster.");
  parser.addHelpOption();
  parser.addVersionOption();
  const QCommandLineOption screenshot(
      "screenshot", "Runs a small comparison, saves a picture of the window and exits.", "FILE");
  parser.addOption(screenshot);
  const bool parsed = parser.parse(QCoreApplication::arguments());
  if (!parsed || !parser.positionalArguments().isEmpty()) {
    const QString fault = parsed ? QString("unexpected \"%1\"").arg(parser.positionalArguments()[0])
                                 : parser.errorText();
    std::fprintf(stderr, "reducelab-gui: %s (see --help)\n", qPrintable(fault));
    return 2;
  }
  if (parser.isSet("version")) parser.showVersion();
  if (asks_only) parser.showHelp();
  return reducelab::show_window(parser.value(screenshot));
}
