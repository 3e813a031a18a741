#include "gui/widgets/comparison_form.h"

#include <QComboBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <algorithm>

#include "algorithms/registry.h"
#include "core/data_type.h"
#include "topologies/catalogue.h"

namespace reducelab {
namespace {

QString text(std::string_view view) {
  return QString::fromUtf8(view.data(), static_cast<qsizetype>(view.size()));
}

/// What a topology entry is and takes, for a tool tip.
QString explanation(const TopologyEntry& entry) {
  QStringList lines{text(entry.description)};
  for (const TopologyParameter& parameter : entry.parameters) {
    lines << QString("%1=%2  %3")
                 .arg(text(parameter.name), text(parameter.default_value),
                      text(parameter.description));
  }
  return lines.join('\n');
}

QComboBox* editable(const QString& tip) {
  auto* box = new QComboBox;
  box->setEditable(true);
  box->setInsertPolicy(QComboBox::NoInsert);
  box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  box->setMinimumContentsLength(22);
  box->setToolTip(tip);
  return box;
}

/// `box` with a button that puts a file's name into it.
QWidget* withFileButton(QComboBox* box, const QString& title) {
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  auto* button = new QToolButton;
  button->setText("...");
  button->setToolTip(title);
  button->setAccessibleName(title);
  button->setFocusPolicy(Qt::StrongFocus);
  QObject::connect(button, &QToolButton::clicked, box, [box, title] {
    const QString file =
        QFileDialog::getOpenFileName(box, title, {}, ComparisonForm::tr("TOML (*.toml);;All (*)"));
    if (!file.isEmpty()) box->setCurrentText(file);
  });
  layout->addWidget(box, 1);
  layout->addWidget(button);
  row->setFocusProxy(box);
  return row;
}

}  // namespace

ComparisonForm::ComparisonForm(QWidget* parent) : QWidget(parent) {
  topology_ = editable(tr("A preset or a builder with parameters, or a TOML file"));
  for (const TopologyEntry& entry : topology_catalogue()) {
    topology_->addItem(text(entry.name));
    topology_->setItemData(topology_->count() - 1, explanation(entry), Qt::ToolTipRole);
  }
  profile_ = editable(tr("What sending and reducing cost: a built-in profile, or a TOML file"));
  profile_->addItems({"nccl", "mpi-rdma", "mpi-tcp", "ideal"});
  type_ = new QComboBox;
  for (const DataType type : all_data_types()) type_->addItem(text(name_of(type)));
  ranks_ = new QSpinBox;
  ranks_->setRange(0, 1 << 20);
  ranks_->setSpecialValueText(tr("all places"));
  sizes_ = new QLineEdit;
  sizes_->setToolTip(tr("1KiB:1GiB:x4, 0:64KiB:+16KiB, or a list such as 4KiB,1MiB"));
  faultLabel_ = new QLabel;
  faultLabel_->setWordWrap(true);
  faultLabel_->setTextFormat(Qt::PlainText);
  const bool dark = palette().window().color().lightness() < 128;
  faultLabel_->setStyleSheet(dark ? "color: #ff8a80" : "color: #b00020");

  auto* fields = new QWidget;
  auto* layout = new QFormLayout(fields);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout->addRow(tr("&Cluster"), withFileButton(topology_, tr("Choose a topology file")));
  layout->addRow(tr("Ran&ks"), ranks_);
  layout->addRow(tr("&Profile"), withFileButton(profile_, tr("Choose a profile file")));
  layout->addRow(tr("&Sizes"), sizes_);
  layout->addRow(tr("Data t&ype"), type_);
  layout->addRow(tr("&Algorithms"), algorithmsField());
  // Outside of the form layout, which gives wrapped text too little height.
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->addWidget(fields, 1);
  rows->addWidget(faultLabel_);

  pause_.setSingleShot(true);
  pause_.setInterval(250);
  checker_.setMaxThreadCount(1);
  connect(&pause_, &QTimer::timeout, this, &ComparisonForm::checkTopology);
  for (QComboBox* box : {topology_, profile_, type_}) {
    connect(box, &QComboBox::currentTextChanged, this, &ComparisonForm::check);
  }
  connect(topology_, &QComboBox::currentTextChanged, &pause_, qOverload<>(&QTimer::start));
  connect(ranks_, &QSpinBox::valueChanged, &pause_, qOverload<>(&QTimer::start));
  connect(ranks_, &QSpinBox::valueChanged, this, &ComparisonForm::check);
  connect(sizes_, &QLineEdit::textChanged, this, &ComparisonForm::check);
  connect(algorithms_, &QListWidget::itemChanged, this, &ComparisonForm::check);
  setRequest({});
}

QWidget* ComparisonForm::algorithmsField() {
  algorithms_ = new QListWidget;
  for (const Algorithm& algorithm : all_algorithms()) {
    auto* item = new QListWidgetItem(text(algorithm.name), algorithms_);
    item->setToolTip(text(algorithm.sentence));
    item->setCheckState(Qt::Checked);
  }
  algorithms_->setCurrentRow(0);
  algorithms_->setAccessibleName(tr("Algorithms"));
  auto* all = new QPushButton(tr("A&ll"));
  auto* none = new QPushButton(tr("Non&e"));
  connect(all, &QPushButton::clicked, this, [this] { checkAll(true); });
  connect(none, &QPushButton::clicked, this, [this] { checkAll(false); });
  auto* field = new QWidget;
  auto* layout = new QVBoxLayout(field);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(algorithms_, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(all);
  buttons->addWidget(none);
  layout->addLayout(buttons);
  field->setFocusProxy(algorithms_);
  return field;
}

void ComparisonForm::checkAll(bool checked) {
  for (int row = 0; row < algorithms_->count(); ++row) {
    algorithms_->item(row)->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
  }
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
  const auto& names = request.algorithms;
  for (int row = 0; row < algorithms_->count(); ++row) {
    QListWidgetItem* item = algorithms_->item(row);
    const bool wanted =
        names.empty() || std::ranges::find(names, item->text().toStdString()) != names.end();
    item->setCheckState(wanted ? Qt::Checked : Qt::Unchecked);
  }
  check();
}

QString ComparisonForm::faults() const {
  QStringList lines{fault_, topologyFault_};
  lines.removeAll(QString());
  return lines.join('\n');
}

void ComparisonForm::check() {
  const ComparisonRequest asked = request();
  bool anyChecked = false;
  for (int row = 0; row < algorithms_->count(); ++row) {
    anyChecked = anyChecked || algorithms_->item(row)->checkState() == Qt::Checked;
  }
  if (!anyChecked) {
    fault_ = tr("choose at least one algorithm");
  } else if (asked.profile.empty()) {
    fault_ = tr("choose a profile");
  } else {
    fault_ = QString::fromStdString(fault_of_sizes(asked.sizes));
  }
  showFaults();
}

void ComparisonForm::checkTopology() {
  if (checking_) {  // one at a time: its end asks again
    ++lastCheck_;
    return;
  }
  checking_ = true;
  checker_.start([this, asked = request(), check = ++lastCheck_] {
    const QString fault = QString::fromStdString(fault_of_topology(asked));
    QMetaObject::invokeMethod(this, [=, this] { takeTopologyFault(check, fault); });
  });
}

void ComparisonForm::takeTopologyFault(quint64 check, const QString& fault) {
  checking_ = false;
  if (check != lastCheck_) {
    checkTopology();
    return;
  }
  topologyFault_ = fault;
  showFaults();
}

void ComparisonForm::showFaults() {
  faultLabel_->setText(faults());
  faultLabel_->setVisible(!faults().isEmpty());
  emit changed();
}

}  // namespace reducelab
