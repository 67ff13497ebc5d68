//! Conditions that are as long as they may be, as a schema: on both stores they become SQL whose cost is linear.

/// What belongs to each condition is called so: names have no digits.
pub const NAMES: [&str; 11] = ["One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven"];

/// A resource whose conditions are deep, in each place where they become SQL or are evaluated: of each condition there is
/// a view (`/one/rows`), a rule (`RuleOne`) and a computed field (`isOne`).
#[must_use]
pub fn row_document() -> String {
    let chain = |term: &str, operator: &str, terms: usize| vec![term; terms].join(operator);
    let conditions = [
        format!("{} == 12", chain("i", " + ", 12)),
        format!("{} != 12", chain("i", " * ", 12)),
        format!("{} > 0.5", chain("weight", " + ", 24)),
        format!("startAt{} > startAt", " + duration(\"P1D\")".repeat(10)),
        format!("startAt{} > startAt", " + duration(\"P1M1D\")".repeat(10)),
        format!("{}i{} == i", "-(".repeat(10), ")".repeat(10)),
        format!("({}).amount > 1", chain("price", " + ", 24)),
        format!("{} < 10", chain("ratio", " * ", 24)),
        "lower(name) == \"ab\"".to_owned(),
        chain("i != 3", " && ", 70),
        format!("i in [{}, 1]", (100..199).map(|number| number.to_string()).collect::<Vec<_>>().join(", ")),
    ];
    let views = conditions.iter().enumerate().map(|(index, condition)| {
        let name = NAMES[index].to_lowercase();
        format!("  {name}: {{ where: '{condition}', operations: {{ list: {{}} }} }}\n")
    });
    let rules = conditions.iter().enumerate().map(|(index, condition)| {
        format!("  - {{ check: '({condition}) || true', code: Rule{}, path: i, message: must hold }}\n", NAMES[index])
    });
    let fields = conditions
        .iter()
        .enumerate()
        .map(|(index, condition)| format!("  is{}: {{ type: boolean, is: '{condition}' }}\n", NAMES[index]));
    // as many as one condition holds
    let all = conditions.iter().take(9).map(|condition| format!("({condition})")).collect::<Vec<_>>().join(" || ");
    format!(
        "resource: Row
visible: [{{ when: '{all}' }}, {{ when: 'i != null' }}]
operations:
  create: {{ access: anyone }}
  list: {{}}
  get: {{}}
  update: {{ access: [{{ when: '{all}' }}] }}
  patch: {{ access: [{{ when: '{all}' }}] }}
  delete: {{ access: [{{ when: '{all}' }}] }}
search: true
views:
{}rules:
{}fields:
  name: {{ type: string, required: true, filter: true, sort: true }}
  i: {{ type: integer, filter: true, sort: true }}
  weight: {{ type: decimal }}
  ratio: {{ type: number }}
  price: {{ type: price }}
  startAt: {{ type: timestamp }}
  isNever: {{ type: boolean, is: 'null in [1]' }}
  level: {{ type: enum, values: [LOW, HIGH], default: {{ is: 'i > 1 ? \"HIGH\" : \"LOW\"' }} }}
  shown: {{ type: enum, values: [LOW, HIGH], is: 'i > 1 ? \"HIGH\" : \"LOW\"' }}
{}",
        views.collect::<String>(),
        rules.collect::<String>(),
        fields.collect::<String>()
    )
}
