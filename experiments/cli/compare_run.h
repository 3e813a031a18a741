#pragma once

#include <vector>

#include "experiments/cli/compare_table.h"
#include "experiments/cli/output.h"
#include "experiments/cli/run_options.h"

namespace reducelab {

/// Runs the jobs of a comparison and prints each point, or each row of the table, once it is whole.
class CompareRun {
 public:
  struct Settings {
    CompareMetric metric = CompareMetric::busbw;
    OutputOptions output;
    PointPlan point;  ///< which simulations make up each point
    int at_once = 1;
    double wall_limit_s = 0;
  };

  CompareRun(const ComparePlan& plan, const Settings& settings);

  void run();
  const std::vector<SimulatedPoint>& points() const { return points_; }

 private:
  void show_progress();
  void take(const Outcome& outcome);
  void print_row();
  void print_csv_row();

  const ComparePlan& plan_;
  Settings settings_;
  CompareTable table_;
  ProgressLine progress_;
  std::size_t simulations_ = 0;
  std::size_t finished_ = 0;
  std::vector<Outcome> outcomes_;  ///< of the point that is under way
  std::vector<SimulatedPoint> points_;
};

}  // namespace reducelab
