#include <QApplication>
#include <QCommandLineParser>
#include <QTimer>
#include <cstdio>

#include "gui/widgets/comparison_form.h"
#include "gui/widgets/comparison_window.h"

int main(int argc, char** argv) {
  QApplication application(argc, argv);
  QApplication::setApplicationName("reducelab-gui");
  QApplication::setApplicationVersion(REDUCELAB_VERSION);
  QCommandLineParser parser;
  parser.setApplicationDescription("Compares all-reduce algorithms on a simulated cluster.");
  parser.addHelpOption();
  parser.addVersionOption();
  const QCommandLineOption screenshot(
      "screenshot", "Runs a small comparison, saves a picture of the window and exits.", "FILE");
  parser.addOption(screenshot);
  parser.process(application);

  reducelab::ComparisonWindow window;
  if (parser.isSet(screenshot)) {
    reducelab::ComparisonRequest request;
    request.topology = "dgx-h100:nodes=2";
    request.sizes = "1KiB:4MiB:x16";
    request.algorithms = {"ring", "double-tree", "rabenseifner"};
    window.form()->setRequest(request);
    const QString file = parser.value(screenshot);
    QObject::connect(&window, &reducelab::ComparisonWindow::finished, &application,
                     [&window, file](bool succeeded) {
                       const bool saved = window.grab().save(file, "PNG");
                       if (!saved) std::fprintf(stderr, "cannot write %s\n", qPrintable(file));
                       QApplication::exit(succeeded && saved ? 0 : 4);
                     });
    QTimer::singleShot(0, &window, &reducelab::ComparisonWindow::start);
  }
  window.show();
  return QApplication::exec();
}
