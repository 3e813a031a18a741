#include "gui/widgets/comparison_window.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableWidget>
#include <QVBoxLayout>

#include "core/error.h"
#include "core/files.h"
#include "core/units.h"
#include "gui/widgets/comparison_form.h"

namespace reducelab {
namespace {

/// The command beside this program, else the one in PATH.
QString commandPath() {
  const QString beside = QApplication::applicationDirPath() + "/reducelab";
  return QFileInfo(beside).isExecutable() ? beside : QStandardPaths::findExecutable("reducelab");
}

}  // namespace

ComparisonWindow::ComparisonWindow() {
  setWindowTitle(tr("reducelab"));
  form_ = new ComparisonForm;
  run_ = new QPushButton(tr("&Run"));
  run_->setShortcut(tr("Ctrl+Return"));
  cancel_ = new QPushButton(tr("Ca&ncel"));
  cancel_->setShortcut(Qt::Key_Escape);
  export_ = new QPushButton(tr("&Export CSV..."));
  metric_ = new QComboBox;
  metric_->addItems({tr("bus bandwidth, GB/s"), tr("time")});
  command_ = new QLineEdit;
  command_->setReadOnly(true);
  auto* copy = new QPushButton(tr("C&opy"));
  table_ = new QTableWidget;
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  remarks_ = new QLabel;
  remarks_->setWordWrap(true);

  auto* left = new QWidget;
  auto* leftLayout = new QVBoxLayout(left);
  leftLayout->addWidget(form_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(run_);
  buttons->addWidget(cancel_);
  leftLayout->addLayout(buttons);

  auto* right = new QWidget;
  auto* rightLayout = new QVBoxLayout(right);
  auto* commandRow = new QHBoxLayout;
  commandRow->addWidget(command_, 1);
  commandRow->addWidget(copy);
  rightLayout->addLayout(commandRow);
  auto* tableRow = new QHBoxLayout;
  tableRow->addWidget(new QLabel(tr("Show")));
  tableRow->addWidget(metric_);
  tableRow->addStretch(1);
  tableRow->addWidget(export_);
  rightLayout->addLayout(tableRow);
  rightLayout->addWidget(table_, 1);
  rightLayout->addWidget(remarks_);

  auto* splitter = new QSplitter;
  splitter->addWidget(left);
  splitter->addWidget(right);
  splitter->setStretchFactor(1, 1);
  splitter->setSizes({360, 840});
  setCentralWidget(splitter);
  resize(1240, 640);

  connect(form_, &ComparisonForm::changed, this, &ComparisonWindow::showCommand);
  connect(run_, &QPushButton::clicked, this, &ComparisonWindow::start);
  connect(cancel_, &QPushButton::clicked, this, &ComparisonWindow::cancel);
  connect(export_, &QPushButton::clicked, this, &ComparisonWindow::exportCsv);
  connect(metric_, &QComboBox::currentIndexChanged, this, &ComparisonWindow::showTable);
  connect(copy, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(command_->text()); });
  connect(&process_, &QProcess::finished, this, &ComparisonWindow::showResult);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) showResult();
  });
  showCommand();
  setRunning(false);
  statusBar()->showMessage(tr("Choose a cluster and press Run."));
}

void ComparisonWindow::showCommand() {
  command_->setText(QString::fromStdString(command_line(form_->request())));
  command_->setCursorPosition(0);
  run_->setEnabled(form_->isValid() && process_.state() == QProcess::NotRunning);
}

void ComparisonWindow::setRunning(bool running) {
  run_->setEnabled(!running && form_->isValid());
  cancel_->setEnabled(running);
  export_->setEnabled(!running && !comparison_.cells.empty());
}

void ComparisonWindow::start() {
  if (!form_->isValid() || process_.state() != QProcess::NotRunning) return;
  const QString command = commandPath();
  if (command.isEmpty()) {
    statusBar()->showMessage(
        tr("The reducelab command is neither beside this program nor in PATH."));
    emit finished(false);
    return;
  }
  QStringList arguments;
  for (const std::string& word : compare_arguments(form_->request())) {
    arguments << QString::fromStdString(word);
  }
  arguments << "--json";
  cancelled_ = false;
  statusBar()->showMessage(tr("Simulating..."));
  process_.start(command, arguments);
  setRunning(true);
}

void ComparisonWindow::cancel() {
  cancelled_ = true;
  process_.terminate();
}

void ComparisonWindow::showResult() {
  bool succeeded = false;
  if (cancelled_) {
    statusBar()->showMessage(tr("Cancelled."));
  } else if (process_.error() == QProcess::FailedToStart) {
    statusBar()->showMessage(tr("Cannot start %1: %2").arg(commandPath(), process_.errorString()));
  } else {
    try {
      comparison_ = parse_comparison(process_.readAllStandardOutput().toStdString());
      showTable();
      statusBar()->showMessage(tr("%1 simulations done; the fastest of each size is bold.")
                                   .arg(comparison_.cells.size()));
      succeeded = true;
    } catch (const Error& error) {
      const QString said = QString::fromUtf8(process_.readAllStandardError()).trimmed();
      statusBar()->showMessage(said.isEmpty() ? QString::fromStdString(error.what()) : said);
    }
  }
  setRunning(false);
  emit finished(succeeded);
}

void ComparisonWindow::showTable() {
  table_->clear();
  table_->setRowCount(static_cast<int>(comparison_.sizes.size()));
  table_->setColumnCount(static_cast<int>(comparison_.algorithms.size()));
  for (int column = 0; column < table_->columnCount(); ++column) {
    const std::string& algorithm = comparison_.algorithms[static_cast<std::size_t>(column)];
    table_->setHorizontalHeaderItem(column,
                                    new QTableWidgetItem(QString::fromStdString(algorithm)));
    for (int row = 0; row < table_->rowCount(); ++row) {
      const std::int64_t bytes = comparison_.sizes[static_cast<std::size_t>(row)];
      const auto cell = comparison_.cells.find({bytes, algorithm});
      if (cell == comparison_.cells.end()) continue;
      const bool as_time = metric_->currentIndex() == 1;
      auto* item = new QTableWidgetItem(
          as_time ? QString::fromStdString(format_duration(cell->second.time_s))
                  : QString::number(cell->second.busbw_GBps, 'f', 2));
      item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      QFont font = item->font();
      font.setBold(cell->second.fastest);
      item->setFont(font);
      table_->setItem(row, column, item);
    }
  }
  for (int row = 0; row < table_->rowCount(); ++row) {
    table_->setVerticalHeaderItem(row, new QTableWidgetItem(QString::fromStdString(format_bytes(
                                           comparison_.sizes[static_cast<std::size_t>(row)]))));
  }
  table_->resizeColumnsToContents();
  QStringList remarks;
  for (const std::string& remark : comparison_.remarks) remarks << QString::fromStdString(remark);
  remarks_->setText(remarks.join("\n"));
}

void ComparisonWindow::exportCsv() {
  const QString path =
      QFileDialog::getSaveFileName(this, tr("Export the table"), "comparison.csv", "CSV (*.csv)");
  if (path.isEmpty()) return;
  try {
    write_file_atomically(path.toStdString(), to_csv(comparison_));
    statusBar()->showMessage(tr("Written to %1").arg(path));
  } catch (const Error& error) {
    statusBar()->showMessage(QString::fromStdString(error.what()));
  }
}

}  // namespace reducelab
