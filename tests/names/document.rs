//! The documents of a service with many draws, and where in them each name stands.

use crate::draw::Draw;
use restwell_generator::File;
use std::collections::BTreeSet;
use std::ops::Range;

/// Draws that share a resource, at most.
const IN_HOST: usize = 12;
/// What stands around a name until its place is known.
const OPENS: char = '\u{E000}';
const ENDS: char = '\u{E001}';
const CLOSES: char = '\u{E002}';

/// The name in quotes, marked.
pub(crate) fn marked(draw: &Draw) -> String {
    mark(draw.number, &format!("\"{}\"", draw.name))
}

/// A text that is a name, or has it.
pub(crate) fn mark(number: usize, text: &str) -> String {
    format!("{OPENS}{number}{ENDS}{text}{CLOSES}")
}

/// What a name adds to its service and to its resource.
#[derive(Debug, Default)]
pub(crate) struct Part {
    pub(crate) service: Option<String>,
    pub(crate) vendor: Option<String>,
    pub(crate) roles: Vec<String>,
    pub(crate) documents: Vec<String>,
    pub(crate) messages: Vec<String>,
    /// Keys of the resource, each with its lines.
    pub(crate) head: Vec<String>,
    pub(crate) index: Vec<String>,
    pub(crate) rules: Vec<String>,
    pub(crate) views: Vec<String>,
    pub(crate) commands: Vec<String>,
    pub(crate) fields: Vec<String>,
}

impl Part {
    pub(crate) fn field(text: String) -> Self {
        Self { fields: vec![text], ..Self::default() }
    }

    pub(crate) fn view(text: String) -> Self {
        Self { views: vec![text], ..Self::default() }
    }

    pub(crate) fn command(text: String) -> Self {
        Self { commands: vec![text], ..Self::default() }
    }

    pub(crate) fn document(text: String) -> Self {
        Self { documents: vec![text], ..Self::default() }
    }

    fn join(&mut self, other: Self) {
        self.service = self.service.take().or(other.service);
        self.vendor = self.vendor.take().or(other.vendor);
        self.roles.extend(other.roles);
        self.documents.extend(other.documents);
        self.messages.extend(other.messages);
        self.head.extend(other.head);
        self.index.extend(other.index);
        self.rules.extend(other.rules);
        self.views.extend(other.views);
        self.commands.extend(other.commands);
        self.fields.extend(other.fields);
    }
}

/// The place of a name.
#[derive(Debug, Clone)]
pub(crate) struct NamePlace {
    /// The number of the draw.
    pub(crate) draw: usize,
    /// The index of the file.
    pub(crate) file: usize,
    pub(crate) range: Range<usize>,
}

/// The files of a service, and the places of the names.
pub(crate) struct Documents {
    pub(crate) files: Vec<File>,
    pub(crate) places: Vec<NamePlace>,
}

impl Documents {
    /// The service with these draws.
    pub(crate) fn of(draws: &[Draw], service: &str) -> Self {
        let mut whole = Part::default();
        let (alone, shared): (Vec<_>, Vec<_>) =
            draws.iter().partition(|draw| draw.role.is_of_service() || draw.role.is_of_documents());
        alone.into_iter().for_each(|draw| whole.join(draw.part("")));
        for (number, draws) in hosts(&shared).into_iter().enumerate() {
            let host = format!("Zoo{number}");
            let mut of_host = Part::default();
            draws.into_iter().for_each(|draw| of_host.join(draw.part(&host)));
            whole.documents.push(host_text(&host, &of_host));
            whole.messages.extend(of_host.messages);
        }
        let mut documents = Self { files: Vec::new(), places: Vec::new() };
        documents.add("schemas/service.yaml", &service_text(&whole, service));
        documents.add("schemas/zebra.yaml", ZEBRA);
        documents.add("schemas/zookeeper.yaml", ZOOKEEPER);
        for (number, text) in whole.documents.iter().enumerate() {
            documents.add(&format!("schemas/d{number}.yaml"), text);
        }
        if !whole.messages.is_empty() {
            documents.add("schemas/messages/en.ftl", &(whole.messages.join("\n") + "\n"));
        }
        documents
    }

    /// Adds a file without the marks.
    fn add(&mut self, path: &str, marked: &str) {
        let mut text = String::with_capacity(marked.len());
        let mut rest = marked;
        while let Some((before, after)) = rest.split_once(OPENS) {
            text.push_str(before);
            let (number, after) = after.split_once(ENDS).expect("a mark has a number");
            let (name, after) = after.split_once(CLOSES).expect("a mark is closed");
            let range = text.len()..text.len() + name.len();
            self.places.push(NamePlace { draw: number.parse().expect("a number"), file: self.files.len(), range });
            text.push_str(name);
            rest = after;
        }
        text.push_str(rest);
        self.files.push(File::new(path, text));
    }
}

/// What names refer to.
const ZEBRA: &str = "resource: Zebra\noperations:\n  create: { access: anyone \
 }\n  list:\n  get:\nfields:\n  stripe: { type: string, \
                     maxLength: 20 }\n";
const ZOOKEEPER: &str = "resource: Zookeeper\noperations:\n  create: { access: anyone \
 }\n  list:\n  get:\nfields:\n  stripe: { type: \
                         string, maxLength: 20 }\n";

fn service_text(whole: &Part, name: &str) -> String {
    let mut text = format!("service: {}\n", whole.service.as_deref().unwrap_or(name));
    if let Some(vendor) = &whole.vendor {
        text += &format!("vendor: {vendor}\n");
    }
    text += "users: Zookeeper\n";
    if !whole.roles.is_empty() {
        text += &format!("roles:\n  {}\n", whole.roles.join("\n  "));
    }
    text
}

fn host_text(name: &str, part: &Part) -> String {
    let operations = "operations:\n  create: { access: anyone }\n  list:\n  get:\n  update: { access: anyone \
    }\n  patch: { access: \
                      anyone }\n  delete: { access: anyone }\n";
    let mut text = format!("resource: {name}\n{operations}search: true\n{}", part.head.concat());
    let mut section = |key: &str, before: &str, lines: &[String]| {
        if !lines.is_empty() {
            text += &format!("{key}:\n");
            lines.iter().for_each(|line| text += &format!("  {before}{line}\n"));
        }
    };
    section("index", "- ", &part.index);
    section("rules", "- ", &part.rules);
    section("views", "", &part.views);
    section("commands", "", &part.commands);
    let stripe = "stripe: { type: string, maxLength: 20, filter: true, sort: true }".to_owned();
    section("fields", "", &[&[stripe], &part.fields[..]].concat());
    text
}

/// The draws that share a resource each time: no word twice, and one name of a kind that a resource has once.
fn hosts<'d>(draws: &[&'d Draw]) -> Vec<Vec<&'d Draw>> {
    let mut hosts: Vec<(Vec<&Draw>, BTreeSet<String>)> = Vec::new();
    for draw in draws {
        let key = draw.name.to_ascii_lowercase().replace(['-', '_'], "");
        let fits = |(draws, names): &&mut (Vec<&Draw>, BTreeSet<String>)| {
            let is_taken = draw.role.is_exclusive() && draws.iter().any(|other| other.role.is_exclusive());
            draws.len() < IN_HOST && !is_taken && !names.contains(&key)
        };
        match hosts.iter_mut().rev().take(3).find(fits) {
            Some((draws, names)) => {
                draws.push(draw);
                names.insert(key);
            }
            None => hosts.push((vec![draw], BTreeSet::from([key]))),
        }
    }
    hosts.into_iter().map(|(draws, _)| draws).collect()
}
