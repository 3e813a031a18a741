#pragma once

#include <QObject>

#include "gui/model/comparison.h"

class QProcess;

namespace reducelab {

/// Runs `reducelab compare` as a process of its own: the command beside this program, else the one
/// in PATH.
class ComparisonProcess : public QObject {
  Q_OBJECT

 public:
  explicit ComparisonProcess(QObject* parent = nullptr);
  ~ComparisonProcess() override;

  bool isRunning() const;
  /// Ends with `done` or `failed`, never before it has returned.
  void start(const ComparisonRequest& request);
  /// Kills it; its workers go with it.
  void cancel();

 signals:
  void done(const Comparison& comparison);
  /// Why there is no comparison, in a line for people.
  void failed(const QString& fault);

 private:
  void takeEnd(int code, bool crashed);

  QProcess* process_;
  bool cancelled_ = false;
};

}  // namespace reducelab
