#include "gui/app/last_request.h"

#include <QSettings>
#include <QStringList>

namespace reducelab {
namespace {

void read(const QSettings& settings, const char* key, std::string& value) {
  const QString saved = settings.value(key).toString();
  if (!saved.isEmpty()) value = saved.toStdString();
}

}  // namespace

ComparisonRequest load_request(const QSettings& settings) {
  ComparisonRequest request;
  read(settings, "comparison/topology", request.topology);
  read(settings, "comparison/profile", request.profile);
  read(settings, "comparison/sizes", request.sizes);
  read(settings, "comparison/type", request.type);
  request.ranks = settings.value("comparison/ranks", request.ranks).toInt();
  for (const QString& name : settings.value("comparison/algorithms").toStringList()) {
    request.algorithms.push_back(name.toStdString());
  }
  return request;
}

void save_request(QSettings& settings, const ComparisonRequest& request) {
  settings.setValue("comparison/topology", QString::fromStdString(request.topology));
  settings.setValue("comparison/profile", QString::fromStdString(request.profile));
  settings.setValue("comparison/sizes", QString::fromStdString(request.sizes));
  settings.setValue("comparison/type", QString::fromStdString(request.type));
  settings.setValue("comparison/ranks", request.ranks);
  QStringList names;
  for (const std::string& name : request.algorithms) names << QString::fromStdString(name);
  settings.setValue("comparison/algorithms", names);
}

}  // namespace reducelab
