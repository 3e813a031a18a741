#include "gui/widgets/comparison_form.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSpinBox>

#include "algorithms/registry.h"
#include "core/data_type.h"
#include "topologies/catalogue.h"

namespace reducelab {
namespace {

QString text(std::string_view view) {
  return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

QComboBox* editable(const QStringList& entries, const QString& tip) {
  auto* box = new QComboBox;
  box->setEditable(true);
  box->addItems(entries);
  box->setToolTip(tip);
  return box;
}

}  // namespace

ComparisonForm::ComparisonForm(QWidget* parent) : QWidget(parent) {
  QStringList topologies;
  for (const TopologyEntry& entry : topology_catalogue()) {
    if (entry.preset) topologies << text(entry.name);
  }
  topology_ = editable(topologies, tr("A preset with parameters, a builder call or a TOML file"));
  profile_ = editable({"nccl", "mpi-rdma", "mpi-tcp", "ideal"}, tr("What messages cost"));
  type_ = new QComboBox;
  for (const DataType type : all_data_types()) type_->addItem(text(name_of(type)));
  ranks_ = new QSpinBox;
  ranks_->setRange(0, 65536);
  ranks_->setSpecialValueText(tr("all"));
  sizes_ = new QLineEdit;
  sizes_->setToolTip(tr("1KiB:1GiB:x4, 0:64KiB:+16KiB or a list"));
  algorithms_ = new QListWidget;
  for (const Algorithm& algorithm : all_algorithms()) {
    auto* item = new QListWidgetItem(text(algorithm.name), algorithms_);
    item->setToolTip(text(algorithm.sentence));
    item->setCheckState(Qt::Checked);
  }
  fault_ = new QLabel;
  fault_->setWordWrap(true);
  fault_->setStyleSheet("color: #b00020");

  auto* layout = new QFormLayout(this);
  layout->addRow(tr("&Cluster"), topology_);
  layout->addRow(tr("&Ranks"), ranks_);
  layout->addRow(tr("&Profile"), profile_);
  layout->addRow(tr("&Sizes"), sizes_);
  layout->addRow(tr("&Type"), type_);
  layout->addRow(tr("&Algorithms"), algorithms_);
  layout->addRow(fault_);
  setRequest({});

  for (QComboBox* box : {topology_, profile_, type_}) {
    connect(box, &QComboBox::currentTextChanged, this, &ComparisonForm::check);
  }
  connect(ranks_, &QSpinBox::valueChanged, this, &ComparisonForm::check);
  connect(sizes_, &QLineEdit::textChanged, this, &ComparisonForm::check);
  connect(algorithms_, &QListWidget::itemChanged, this, &ComparisonForm::check);
  check();
}

ComparisonRequest ComparisonForm::request() const {
  ComparisonRequest request;
  request.topology = topology_->currentText().trimmed().toStdString();
  request.profile = profile_->currentText().trimmed().toStdString();
  request.sizes = sizes_->text().trimmed().toStdString();
  request.type = type_->currentText().toStdString();
  request.ranks = ranks_->value();
  bool all = true;
  for (int row = 0; row < algorithms_->count(); ++row) {
    const QListWidgetItem* item = algorithms_->item(row);
    if (item->checkState() == Qt::Checked) {
      request.algorithms.push_back(item->text().toStdString());
    } else {
      all = false;
    }
  }
  if (all) request.algorithms.clear();
  return request;
}

void ComparisonForm::setRequest(const ComparisonRequest& request) {
  topology_->setCurrentText(QString::fromStdString(request.topology));
  profile_->setCurrentText(QString::fromStdString(request.profile));
  sizes_->setText(QString::fromStdString(request.sizes));
  type_->setCurrentText(QString::fromStdString(request.type));
  ranks_->setValue(request.ranks);
  for (int row = 0; row < algorithms_->count(); ++row) {
    QListWidgetItem* item = algorithms_->item(row);
    const auto& names = request.algorithms;
    const bool wanted = names.empty() || std::find(names.begin(), names.end(),
                                                   item->text().toStdString()) != names.end();
    item->setCheckState(wanted ? Qt::Checked : Qt::Unchecked);
  }
}

void ComparisonForm::check() {
  bool any = false;
  for (int row = 0; row < algorithms_->count(); ++row) {
    any = any || algorithms_->item(row)->checkState() == Qt::Checked;
  }
  const std::string fault = any ? fault_of(request()) : "choose at least one algorithm";
  valid_ = fault.empty();
  fault_->setText(QString::fromStdString(fault));
  emit changed();
}

}  // namespace reducelab
