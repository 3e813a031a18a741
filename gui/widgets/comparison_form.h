#pragma once

#include <QWidget>

#include "gui/model/comparison.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace reducelab {

/// The left side of the window: what to compare, checked while it is typed.
class ComparisonForm : public QWidget {
  Q_OBJECT

 public:
  explicit ComparisonForm(QWidget* parent = nullptr);

  ComparisonRequest request() const;
  void setRequest(const ComparisonRequest& request);
  bool isValid() const { return valid_; }

 signals:
  void changed();

 private:
  void check();

  QComboBox* topology_;
  QComboBox* profile_;
  QComboBox* type_;
  QSpinBox* ranks_;
  QLineEdit* sizes_;
  QListWidget* algorithms_;
  QLabel* fault_;
  bool valid_ = false;
};

}  // namespace reducelab
