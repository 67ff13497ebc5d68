//! What `treat` does: the same for both forms of the service, whose types are other ones of the same names.

/// The handler's body, where `Call`, `Colour`, `Rejection`, `SpecimenStatus`, `SpecimenTreatHow`, `Tag`, `TagQuery` and
/// `TreatOutput` are in scope.
macro_rules! treat {
    ($call:expr) => {{
        let call = $call;
        let mut specimen = call.entity;
        let amount = call.input.amount.unwrap_or_default();
        let mut output = TreatOutput { total_count: specimen.size, ..TreatOutput::default() };
        match call.input.how {
            SpecimenTreatHow::Count => {
                specimen.size = Some(specimen.size.unwrap_or_default() + amount);
                specimen.status = Some(SpecimenStatus::Archived);
                output.total_count = specimen.size;
                output.colours = vec![Colour::White];
                call.transaction.update(specimen).await?;
            }
            SpecimenTreatHow::Describe => {
                specimen.traits = call.input.traits;
                specimen.settings = call.input.settings.clone();
                output.scores = specimen.traits.iter().map(|(name, text)| (name.clone(), text.len() as i64)).collect();
                output.receipt = call.input.settings;
                call.transaction.update(specimen).await?;
            }
            SpecimenTreatHow::Refuse => {
                specimen.size = Some(999);
                call.transaction.update(specimen).await?;
                return Err(Rejection::new("TooMuch", "is more than the {most} that are left")
                    .at("amount")
                    .with("most", 0));
            }
            SpecimenTreatHow::Panic => panic!("asked to"),
            SpecimenTreatHow::Hang => std::future::pending().await,
            SpecimenTreatHow::Clash => drop(call.transaction.create(specimen.value).await?),
            SpecimenTreatHow::Vanish => call.transaction.delete(&specimen).await?,
            SpecimenTreatHow::Trouble => return Err(std::io::Error::other("a secret of the service's").into()),
            SpecimenTreatHow::ReadBack => {
                use restwell::filter::{contains, contains_ignore_case, not, starts_with, starts_with_ignore_case};
                for number in 0..amount {
                    let (name, alias) = (format!("new {number}"), Some(format!("Alias {number}")));
                    call.transaction.create(Tag { name, alias, attributes: Default::default() }).await?;
                }
                let found = call.transaction.count(TagQuery::new().created_at(call.transaction.now())).await?;
                let first = TagQuery::new().name(contains("ew 0"));
                let others = TagQuery::new().name(starts_with("new ")).name(not("new 0"));
                let (first, others) = (call.transaction.count(first).await?, call.transaction.count(others).await?);
                let in_any_case = TagQuery::new().name(contains_ignore_case("EW 0"));
                let by_alias = TagQuery::new().alias(starts_with_ignore_case("aLIAS 0"));
                let in_any_case = [call.transaction.count(in_any_case).await?, call.transaction.count(by_alias).await?];
                output.total_count =
                    i64::try_from(found).ok().filter(|_| found == first + others && in_any_case == [first, first]);
            }
            SpecimenTreatHow::Wrong => {
                specimen.name = "a name that has more characters than it may".to_owned();
                call.transaction.update(specimen).await?;
            }
            SpecimenTreatHow::Unknown(_) => {}
        }
        Ok(output)
    }};
}

pub(crate) use treat;
