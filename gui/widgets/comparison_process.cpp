#include "gui/widgets/comparison_process.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

#include "core/error.h"

namespace reducelab {
namespace {

QString commandPath() {
  const QString beside = QCoreApplication::applicationDirPath() + "/reducelab";
  return QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable("reducelab");
}

}  // namespace

ComparisonProcess::ComparisonProcess(QObject* parent)
    : QObject(parent), process_(new QProcess(this)) {
  connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    takeEnd(code, status == QProcess::CrashExit);
  });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;  // the others also end in `finished`
    emit failed(tr("cannot start %1: %2").arg(process_->program(), process_->errorString()));
  });
}

ComparisonProcess::~ComparisonProcess() {
  process_->disconnect(this);
  process_->kill();
  process_->waitForFinished();
}

bool ComparisonProcess::isRunning() const {
  return process_->state() != QProcess::NotRunning;
}

void ComparisonProcess::start(const ComparisonRequest& request) {
  const QString command = commandPath();
  if (command.isEmpty()) {
    const QString fault = tr("the reducelab command is neither in %1 nor in PATH")
                              .arg(QCoreApplication::applicationDirPath());
    QMetaObject::invokeMethod(
        this, [this, fault] { emit failed(fault); }, Qt::QueuedConnection);
    return;
  }
  QStringList arguments;
  for (const std::string& word : compare_arguments(request)) {
    arguments << QString::fromStdString(word);
  }
  cancelled_ = false;
  process_->start(command, arguments << "--json");
  process_->closeWriteChannel();
}

void ComparisonProcess::cancel() {
  if (!isRunning()) return;
  cancelled_ = true;
  process_->kill();
}

void ComparisonProcess::takeEnd(int code, bool crashed) {
  const ProcessEnd end{process_->readAllStandardOutput().toStdString(),
                       process_->readAllStandardError().toStdString(), code, crashed};
  if (cancelled_) {
    emit failed(tr("cancelled"));
    return;
  }
  try {
    emit done(comparison_of(end));
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

}  // namespace reducelab
