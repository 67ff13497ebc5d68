//! The root file of the generated code: `mod.rs`.

use super::attribute::literal;
use super::documents::Document;
use super::messages;
use super::view::{ModuleView, RegisteredView, RootView, SubjectsView};
use crate::messages::LanguageMessages;
use restwell_model::condition::Condition;
use restwell_model::names::rust;
use restwell_model::{Checked, Field, Type, UserSubjects};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn view(
    service: &Checked,
    documents: &[Document<'_>],
    messages: &[LanguageMessages],
    migrations: &[String],
) -> RootView {
    let modules =
        documents.iter().map(|document| ModuleView { name: document.module.ident(), types: document.types() });
    let resources = documents.iter().filter_map(|document| registered(service, document));
    RootView {
        modules: modules.collect(),
        name: literal(&service.name),
        title: service.title.as_deref().map(literal),
        about: about(service),
        vendor: literal(&service.vendor),
        users: service.users.clone(),
        subjects: service.user_subjects.as_ref().map(subjects),
        roles: named(&service.roles),
        conditions: named(&service.conditions),
        allow: service.allow.iter().map(|(change, reason)| (literal(change), literal(reason))).collect(),
        resources: resources.collect(),
        handlers: documents.iter().filter_map(Document::handlers_path).collect(),
        parameter: rust::brought("C", "", |name| documents.iter().any(|it| it.is_defined(name))),
        others: unreached(service),
        messages: messages.iter().map(messages::view).collect(),
        migrations: migrations.iter().map(|name| literal(name)).collect(),
    }
}

/// Names and conditions, as literals.
fn named(conditions: &BTreeMap<String, Condition>) -> Vec<(String, String)> {
    conditions.iter().map(|(name, condition)| (literal(name), literal(condition.as_str()))).collect()
}

/// The calls with what the documentation says of the service.
fn about(service: &Checked) -> Vec<String> {
    let option = |text: &Option<String>| match text {
        Some(text) => format!("Some({})", literal(text)),
        None => "None".to_owned(),
    };
    let description = service.description.iter().map(|text| format!(".description({})", literal(text)));
    let terms = service.terms_of_service.iter().map(|url| format!(".terms_of_service({})", literal(url)));
    let contact = service.contact.iter().map(|contact| {
        format!(".contact({}, {}, {})", option(&contact.name), option(&contact.url), option(&contact.email))
    });
    let license = service.license.iter().map(|license| {
        let name = literal(&license.name);
        format!(".license({name}, {}, {})", option(&license.identifier), option(&license.url))
    });
    description.chain(terms).chain(contact).chain(license).collect()
}

fn subjects(subjects: &UserSubjects) -> SubjectsView {
    let claims = subjects.provision.as_ref().map(|provision| {
        let claims = provision.iter().map(|(field, claim)| format!("({}, {})", literal(field), literal(claim)));
        claims.collect::<Vec<_>>().join(", ")
    });
    SubjectsView { field: literal(&subjects.subject), claims }
}

fn registered(service: &Checked, document: &Document<'_>) -> Option<RegisteredView> {
    let name = document.resource?.name.clone();
    let is_users = service.users.as_ref() == Some(&name);
    Some(RegisteredView { name, is_users, has_handlers: document.handlers_name().is_some() })
}

/// The enums and objects that no resource leads to: these must be registered by themselves.
fn unreached(service: &Checked) -> Vec<String> {
    let mut reached = BTreeSet::new();
    for resource in &service.resources {
        let of_commands = resource.commands.iter().flat_map(|command| command.input.iter().chain(&command.output));
        resource.fields.iter().chain(of_commands).for_each(|field| reach(service, field, &mut reached));
    }
    let objects = service.objects.iter().map(|object| &object.name);
    let enums = service.enums.iter().map(|enumeration| &enumeration.name);
    objects.chain(enums).filter(|name| !reached.contains(name.as_str())).cloned().collect()
}

fn reach<'a>(service: &'a Checked, field: &'a Field, reached: &mut BTreeSet<&'a str>) {
    if let Type::Named { name } = field.ty.element()
        && reached.insert(name)
        && let Some(object) = service.object(name)
    {
        object.fields.iter().for_each(|field| reach(service, field, reached));
    }
}
