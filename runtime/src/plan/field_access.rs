//! Who sees the fields of a resource (`visible`), and who may change them (`writable`).

use super::columns::HiddenFields;
use super::conditions::ConditionPlan;
use super::form::blank;
use super::query::{Filter, Query, Test};
use super::viewer::{Sight, Viewer};
use super::{ColumnIndex, ResourceIndex};
use restwell_model::tables::{Content, Table};
use restwell_model::{Access, Checked, Field, Resource};
use std::ops::Range;

/// The callers of a list, as in `access`.
#[derive(Debug)]
pub(crate) struct CallersPlan {
    pub(crate) access: Vec<Access>,
    /// Those entries of it that are roles and conditions.
    pub(crate) conditions: Vec<ConditionPlan>,
}

/// The fields of a resource that not every caller sees, or may change.
#[derive(Debug, Default)]
pub(crate) struct FieldsPlan {
    /// In the model's order.
    pub(crate) fields: Vec<FieldAccess>,
    /// Who sees some of them: each list once.
    pub(crate) visible: Vec<CallersPlan>,
    /// Who may change some of them: each list once.
    pub(crate) writable: Vec<CallersPlan>,
}

/// A field that not every caller sees, or may change.
#[derive(Debug)]
pub(crate) struct FieldAccess {
    /// Its position in the model.
    pub(crate) index: usize,
    /// Its name, as in JSON.
    pub(crate) name: String,
    /// The same, and the former name.
    names: Vec<String>,
    /// The path of an error about it.
    pub(crate) path: String,
    /// Its columns.
    pub(crate) columns: Range<usize>,
    blank: &'static str,
    /// The position of the callers who see it, if not every caller does.
    pub(crate) visible: Option<usize>,
    /// The position of those who may change it, if not every caller may.
    pub(crate) writable: Option<usize>,
    /// Whether `writable` stands on it, and so decides alone who sets it at a creation.
    pub(crate) is_given_unseen: bool,
}

impl CallersPlan {
    pub(super) fn compile(service: &Checked, resource: &Resource, access: &[Access]) -> Self {
        Self { access: access.to_vec(), conditions: ConditionPlan::of_access(service, resource, access) }
    }
}

impl FieldsPlan {
    /// Of a resource.
    pub(super) fn compile(service: &Checked, resource: &Resource, table: &Table) -> Self {
        let guarded = resource.fields.iter().zip(&table.slots).enumerate().filter(|(_, (field, _))| field.is_guarded());
        let (visible, writable) = (hiding_lists(resource), guarding_lists(resource));
        let fields = guarded.map(|(index, (field, slot))| {
            let end = if slot.content == Content::Reference { ".id" } else { "" };
            FieldAccess {
                index,
                name: field.name.clone(),
                names: field.names().map(str::to_owned).collect(),
                path: format!("{}{end}", field.name),
                columns: slot.columns.clone(),
                blank: blank(&field.ty),
                visible: visible.iter().position(|list| *list == field.visible.as_slice()),
                writable: writable.iter().position(|list| *list == field.writable.as_slice()),
                is_given_unseen: !field.writable.is_empty(),
            }
        });
        let plans = |lists: &[&[Access]]| {
            lists.iter().map(|access| CallersPlan::compile(service, resource, access)).collect::<Vec<_>>()
        };
        Self { fields: fields.collect(), visible: plans(&visible), writable: plans(&writable) }
    }

    /// Whether every caller sees all fields, and may change them.
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// The fields that a viewer sees of no entity of the resource.
    pub(crate) fn never_seen<'a>(
        &'a self,
        resource: ResourceIndex,
        viewer: &'a Viewer,
    ) -> impl Iterator<Item = &'a FieldAccess> {
        self.fields.iter().filter(move |field| matches!(field.sight(resource, viewer), Sight::Nothing))
    }
}

impl FieldAccess {
    /// Of which entities of the resource a viewer sees the field.
    pub(crate) fn sight<'v>(&self, resource: ResourceIndex, viewer: &'v Viewer) -> Sight<'v> {
        match self.visible {
            None => Sight::All,
            Some(callers) => viewer.fields(HiddenFields { resource, callers, is_own: true }),
        }
    }

    /// What stands in JSON for a value that is not seen.
    pub(crate) fn blank(&self) -> &'static str {
        self.blank
    }

    /// Whether it is the property of this name.
    pub(crate) fn is_named(&self, name: &[u8]) -> bool {
        self.names.iter().any(|known| known.as_bytes() == name)
    }
}

/// The different lists of callers who see fields of a resource that not every caller sees.
fn hiding_lists(resource: &Resource) -> Vec<&[Access]> {
    different(resource.fields.iter().filter(|field| field.is_hidden()).map(|field| field.visible.as_slice()))
}

/// The different lists of callers who may change fields that not every caller may change.
fn guarding_lists(resource: &Resource) -> Vec<&[Access]> {
    let lists = resource.fields.iter().map(|field| field.writable.as_slice());
    different(lists.filter(|list| Access::excludes_some(list)))
}

fn different<'a>(lists: impl Iterator<Item = &'a [Access]>) -> Vec<&'a [Access]> {
    let mut all: Vec<&[Access]> = Vec::new();
    for list in lists {
        if !all.contains(&list) {
            all.push(list);
        }
    }
    all
}

/// The position of the callers who see a field, if not every caller does.
pub(super) fn hiding_callers(resource: &Resource, field: &Field) -> Option<usize> {
    let is_it = |list: &&[Access]| *list == field.visible.as_slice();
    hiding_lists(resource).iter().position(is_it).filter(|_| field.is_hidden())
}

impl Query {
    /// Filters and sorts by what its viewer sees of the fields of a resource: a value that is not seen is null.
    pub(crate) fn hide(&mut self, plan: &FieldsPlan, resource: ResourceIndex) {
        let viewer = self.viewer.clone();
        for field in &plan.fields {
            let is_of_field = |column: ColumnIndex| field.columns.contains(&column.position());
            match field.sight(resource, &viewer) {
                Sight::All => {}
                Sight::Nothing => {
                    self.sort.retain(|(column, _)| !is_of_field(*column));
                    if self.filters.iter().any(|filter| is_of_field(filter.column) && !filter.test.takes_null()) {
                        self.nothing();
                    }
                    self.filters.retain(|filter| !is_of_field(filter.column));
                }
                Sight::Where(predicate) => {
                    let mut is_asked = false;
                    for filter in self.filters.iter_mut().filter(|filter| is_of_field(filter.column)) {
                        if filter.test.takes_null() {
                            let test = std::mem::replace(&mut filter.test, Test::Given);
                            filter.test = Test::IfSeen(predicate.clone(), Box::new(test));
                        } else {
                            is_asked = true;
                        }
                    }
                    self.filters.extend(is_asked.then(|| -> Filter { predicate.filter() }));
                    let sorted = self.sort.iter().map(|(column, _)| *column).filter(|column| is_of_field(*column));
                    let masks: Vec<_> = sorted.map(|column| (column, predicate.clone())).collect();
                    self.masks.extend(masks);
                }
            }
        }
    }
}
