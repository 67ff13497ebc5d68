//! Cycles in a graph: objects that contain themselves, required references that need each other.

/// The cycles among nodes that never come to an end: each cycle once, as nodes in their order. `next[n]` are the nodes
/// that `n` needs. Linear, and without recursion, however long a chain is.
pub(super) fn cycles(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let endless = endless(next);
    // of each endless node one step that is endless too: following it must come to a cycle
    let step = |node: usize| next[node].iter().copied().find(|&to| endless[to]);
    let mut seen_in = vec![None; next.len()];
    let mut cycles = Vec::new();
    for start in (0..next.len()).filter(|&node| endless[node]) {
        let mut walk = Vec::new();
        let mut node = Some(start);
        while let Some(at) = node.filter(|&at| seen_in[at].is_none()) {
            seen_in[at] = Some(start);
            walk.push(at);
            node = step(at);
        }
        if let Some(at) = node.filter(|&at| seen_in[at] == Some(start)) {
            cycles.extend(walk.iter().position(|&other| other == at).map(|from| walk.split_off(from)));
        }
    }
    cycles
}

/// Which nodes are left when those that need nothing, or only such, are taken away.
fn endless(next: &[Vec<usize>]) -> Vec<bool> {
    let mut needs: Vec<usize> = next.iter().map(Vec::len).collect();
    let mut needed_by = vec![Vec::new(); next.len()];
    for (node, others) in next.iter().enumerate() {
        for &other in others {
            needed_by[other].push(node);
        }
    }
    let mut done: Vec<usize> = (0..next.len()).filter(|&node| needs[node] == 0).collect();
    while let Some(node) = done.pop() {
        for &other in &needed_by[node] {
            needs[other] -= 1;
            if needs[other] == 0 {
                done.push(other);
            }
        }
    }
    needs.iter().map(|&count| count > 0).collect()
}
