//! Schemas of many resources, for what must also be fast with a thousand of them.

use restwell_generator::File;

/// A service with this number of resources, each with fields of most types, an inline enum and a command.
pub(crate) fn schemas(resources: usize) -> Vec<File> {
    let user = "resource: User\nfields:\n  name: { type: string }\n";
    let shared = [("service", "service: shop\nusers: User\n"), ("user", user)];
    let shared = shared.iter().map(|(name, text)| File::new(&format!("schemas/{name}.yaml"), *text));
    let resource = |index| File::new(&format!("schemas/{index}.yaml"), resource(index));
    shared.chain((0..resources).map(resource)).collect()
}

fn resource(index: usize) -> String {
    const FIELDS: [&str; 10] = [
        "{ type: string, required: true, maxLength: 75, filter: true, sort: true, example: Road bicycle }",
        "{ type: integer, minimum: 0, maximum: 1000, default: 1 }",
        "{ type: decimal, scale: 3, minimum: \"0.001\", example: \"12.500\" }",
        "{ type: price, required: true, filter: true, sort: true, description: The price to buy it at once. }",
        "{ type: timestamp, readOnly: true, filter: true, sort: true }",
        "{ type: enum, values: [ACTIVE, ENDED, SUSPENDED], default: ACTIVE, filter: true }",
        "{ type: boolean, default: false }",
        "{ type: country, filter: true }",
        "{ type: date, example: \"2027-06-30\" }",
        "{ type: object, fields: { street: { type: string, maxLength: 120 }, city: { type: string, filter: true } } }",
    ];
    let mut text = format!(
        "resource: {name}Thing\ndescription: One of many.\nowner: seller\nsearch: true\ncommands:\n  renew:\n    \
         access: owner\n    input:\n      duration: {{ type: duration, required: true }}\nfields:\n  \
         seller: {{ type: ref, to: User, show: [name], required: true, immutable: true, filter: true }}\n",
        name = letters(index)
    );
    for field in 0..20 {
        text.push_str(&format!("  field{}Part: {}\n", letters(field), FIELDS[field % FIELDS.len()]));
    }
    text
}

/// A number as a capitalized word: `Abc`.
fn letters(number: usize) -> String {
    let letter = |digit: usize| char::from(b'a' + u8::try_from(digit % 26).unwrap_or(0));
    format!("{}{}{}", letter(number / 676).to_ascii_uppercase(), letter(number / 26), letter(number))
}
