#pragma once

#include "gui/model/comparison.h"

class QSettings;

namespace reducelab {

/// What the form said when the program was last closed; the defaults for what is not there.
ComparisonRequest load_request(const QSettings& settings);
void save_request(QSettings& settings, const ComparisonRequest& request);

}  // namespace reducelab
