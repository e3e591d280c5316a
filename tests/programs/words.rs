// Generics, closures and iterators, which Rust inlines many deep.
use std::collections::BTreeMap;

trait Weigh {
    fn weigh(&self) -> u64;
}

impl Weigh for str {
    #[inline]
    fn weigh(&self) -> u64 {
        self.bytes().filter(|b| b.is_ascii_alphabetic()).map(u64::from).sum()
    }
}

fn count<'a, I: Iterator<Item = &'a str>>(words: I) -> BTreeMap<&'a str, u64> {
    let mut all = BTreeMap::new();
    for w in words {
        *all.entry(w).or_insert(0) += w.weigh();
    }
    all
}

fn main() {
    let text = std::env::args().collect::<Vec<_>>().join(" a b a c ");
    let mut found: Vec<_> = count(text.split_whitespace()).into_iter().collect();
    found.sort_by_key(|(w, n)| (std::cmp::Reverse(*n), *w));
    println!("{:?}", found.first());
}
