#include "gui/widgets/result_table.h"

#include <QHeaderView>

#include "core/units.h"

namespace reducelab {
namespace {

QTableWidgetItem* cellItem(const ComparisonCell& cell, ResultTable::Metric metric) {
  auto* item = new QTableWidgetItem(metric == ResultTable::Metric::time
                                        ? QString::fromStdString(format_duration(cell.time_s))
                                        : QString::number(cell.busbw_GBps, 'f', 2));
  item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
  if (cell.fastest) {
    QFont font = item->font();
    font.setBold(true);
    item->setFont(font);
    item->setToolTip(ResultTable::tr("the fastest of this size"));
    item->setData(Qt::AccessibleDescriptionRole, item->toolTip());
  }
  return item;
}

}  // namespace

ResultTable::ResultTable(QWidget* parent) : QTableWidget(parent) {
  setEditTriggers(NoEditTriggers);
  setTabKeyNavigation(false);  // Tab leaves the table; arrows move in it
  setAlternatingRowColors(true);
  setAccessibleName(tr("Results by size and algorithm"));
  horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  horizontalHeader()->setMinimumSectionSize(80);
  verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
}

void ResultTable::setComparison(const Comparison& comparison, Metric metric) {
  clear();
  setRowCount(static_cast<int>(comparison.sizes.size()));
  setColumnCount(static_cast<int>(comparison.algorithms.size()));
  for (int column = 0; column < columnCount(); ++column) {
    const std::string& algorithm = comparison.algorithms[static_cast<std::size_t>(column)];
    setHorizontalHeaderItem(column, new QTableWidgetItem(QString::fromStdString(algorithm)));
    for (int row = 0; row < rowCount(); ++row) {
      const auto cell =
          comparison.cells.find({comparison.sizes[static_cast<std::size_t>(row)], algorithm});
      if (cell != comparison.cells.end()) setItem(row, column, cellItem(cell->second, metric));
    }
  }
  for (int row = 0; row < rowCount(); ++row) {
    const std::int64_t bytes = comparison.sizes[static_cast<std::size_t>(row)];
    setVerticalHeaderItem(row, new QTableWidgetItem(QString::fromStdString(format_bytes(bytes))));
  }
  resizeColumnsToContents();
}

}  // namespace reducelab
