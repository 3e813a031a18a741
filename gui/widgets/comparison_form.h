#pragma once

#include <QThreadPool>
#include <QTimer>
#include <QWidget>

#include "gui/model/comparison.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace reducelab {

/// The left side of the window: what to compare, checked while it is typed. The topology, which may
/// be large, is checked on another thread; until that is known it counts as right.
class ComparisonForm : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonForm(QWidget* parent = nullptr);

  ComparisonRequest request() const;
  void setRequest(const ComparisonRequest& request);
  bool isValid() const { return fault_.isEmpty() && topologyFault_.isEmpty(); }
  /// What is wrong, one fault a line.
  QString faults() const;

 signals:
  /// Of the request or of its validity.
  void changed();

 private:
  QWidget* algorithmsField();
  void checkAll(bool checked);
  void check();
  void checkTopology();
  void takeTopologyFault(quint64 check, const QString& fault);
  void showFaults();

  QComboBox* topology_;
  QComboBox* profile_;
  QComboBox* type_;
  QSpinBox* ranks_;
  QLineEdit* sizes_;
  QListWidget* algorithms_;
  QLabel* faultLabel_;
  QString fault_;
  QString topologyFault_;
  QTimer pause_;  ///< since the topology was last typed in
  quint64 lastCheck_ = 0;
  bool checking_ = false;
  QThreadPool checker_;  ///< last: it waits for the check in progress
};

}  // namespace reducelab
