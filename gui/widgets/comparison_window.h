#pragma once

#include <QMainWindow>
#include <QProcess>

#include "gui/model/comparison.h"

class QAction;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace reducelab {

class ComparisonForm;

/// Compares algorithms over sizes: a form, and a table of what `reducelab compare` answers. The
/// simulations run in that process, never in this one; it can be cancelled at any time.
class ComparisonWindow : public QMainWindow {
  Q_OBJECT

 public:
  ComparisonWindow();

  ComparisonForm* form() const { return form_; }

 public slots:
  void start();
  void cancel();

 signals:
  /// A comparison has ended, well or not.
  void finished(bool succeeded);

 private:
  void showCommand();
  void showResult();
  void showTable();
  void exportCsv();
  void setRunning(bool running);

  ComparisonForm* form_;
  QLineEdit* command_;
  QPushButton* run_;
  QPushButton* cancel_;
  QPushButton* export_;
  QComboBox* metric_;
  QTableWidget* table_;
  QLabel* remarks_;
  QProcess process_;
  bool cancelled_ = false;
  Comparison comparison_;
};

}  // namespace reducelab
