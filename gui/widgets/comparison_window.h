#pragma once

#include <QElapsedTimer>
#include <QMainWindow>
#include <QTimer>

#include "gui/model/comparison.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace reducelab {

class ComparisonForm;
class ComparisonProcess;
class ResultTable;

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
  /// A comparison has ended; `fault` says why it gave nothing, and is empty if it went well.
  void finished(const QString& fault);

 private:
  QWidget* leftSide();
  QWidget* rightSide();
  void showState();
  void showElapsed();
  void showResult(const Comparison& comparison);
  void showFault(const QString& fault);
  void showNotes(const QString& text);
  void showTable();
  void exportCsv();

  ComparisonForm* form_;
  ComparisonProcess* process_;
  QLineEdit* command_;
  QPushButton* run_;
  QPushButton* cancel_;
  QPushButton* export_;
  QComboBox* metric_;
  QLabel* caption_;  ///< what the table shows, which need not be what the form says by now
  ResultTable* table_;
  QPlainTextEdit* notes_;
  QProgressBar* busy_;
  QTimer tick_;
  QElapsedTimer elapsed_;
  ComparisonRequest started_;
  Comparison comparison_;
};

}  // namespace reducelab
