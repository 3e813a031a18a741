#pragma once

#include <QTableWidget>

#include "gui/model/comparison.h"

namespace reducelab {

/// Sizes down, algorithms across; the fastest of each size is bold.
class ResultTable : public QTableWidget {
  Q_OBJECT

 public:
  enum class Metric { busbw, time };

  explicit ResultTable(QWidget* parent = nullptr);

  void setComparison(const Comparison& comparison, Metric metric);
};

}  // namespace reducelab
