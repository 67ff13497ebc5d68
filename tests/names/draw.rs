//! A draw: one word in one role.

use crate::role::Role;
use crate::words;
use std::collections::HashSet;

/// Draws for each name of a service.
const DRAWS_A_SERVICE: usize = 100;

/// A word in a role.
#[derive(Debug, Clone)]
pub(crate) struct Draw {
    /// Unique: what is around the name is called after it.
    pub(crate) number: usize,
    pub(crate) role: Role,
    /// As the role spells it.
    pub(crate) name: String,
    /// A rule of naming that is switched off for it.
    pub(crate) allow: Option<&'static str>,
}

impl Draw {
    /// `resource Delete`, for messages.
    pub(crate) fn title(&self) -> String {
        format!("{:?} `{}`", self.role, self.name)
    }
}

/// Makes this number of draws, each once: the words that were at fault before in every role, then any word in any role.
pub(crate) fn draws(count: usize, seed: u64) -> Vec<Draw> {
    let mut random = Random(seed);
    let mut chosen = Chosen::new(count);
    let mut known: Vec<_> =
        words::found().into_iter().flat_map(|word| Role::ALL.map(|role| (role, word.clone()))).collect();
    random.shuffle(&mut known);
    // a third of them: there is room for others
    for (role, word) in known {
        if chosen.draws.len() < count / 3 {
            chosen.add(role, &word);
        }
    }
    let all = words::all();
    let most = all.len() * Role::ALL.len();
    for _ in 0..most * 2 {
        let role = Role::ALL[random.below(Role::ALL.len())];
        let word = &all[random.below(all.len())];
        if chosen.draws.len() == count {
            break;
        }
        chosen.add(role, word);
    }
    chosen.draws
}

/// All common nouns, as resources.
pub(crate) fn nouns() -> Vec<Draw> {
    let nouns = words::nouns();
    let mut chosen = Chosen::new(nouns.len());
    nouns.iter().for_each(|noun| chosen.add(Role::Resource, noun));
    chosen.draws
}

/// The draws so far.
struct Chosen {
    draws: Vec<Draw>,
    seen: HashSet<(Role, String)>,
    /// Names of services, and of vendors, that there may be more of: each has a service of its own.
    of_services: [usize; 2],
}

impl Chosen {
    fn new(count: usize) -> Self {
        let services = count.div_ceil(DRAWS_A_SERVICE);
        Self { draws: Vec::new(), seen: HashSet::new(), of_services: [services; 2] }
    }

    fn add(&mut self, role: Role, word: &str) {
        let name = role.spell(word);
        let left = match role {
            Role::Service => Some(&mut self.of_services[0]),
            Role::Vendor => Some(&mut self.of_services[1]),
            _ => None,
        };
        if name.is_empty() || left.as_ref().is_some_and(|left| **left == 0) || !self.seen.insert((role, name.clone())) {
            return;
        }
        if let Some(left) = left {
            *left -= 1;
        }
        self.draws.push(Draw { number: self.draws.len(), role, name, allow: None });
    }
}

/// Random numbers that follow from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, values: &mut [T]) {
        for end in (1..values.len()).rev() {
            values.swap(end, self.below(end + 1));
        }
    }
}
