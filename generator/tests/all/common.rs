//! What the tests have in common: folders of cases, and expected texts that can be rewritten.

use restwell_generator::{Before, Compiled, File, compile, compile_after, render};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder below `tests/`.
pub(crate) fn tests(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(below)
}

/// The folders in a folder, sorted.
pub(crate) fn folders(dir: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<_> =
        fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}

/// The name of a file or folder.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// What comes of a case. One with a folder `before` follows the model that is in there.
pub(crate) fn compiled(case: &Path) -> Compiled {
    let before = case.join("before");
    if !before.exists() {
        return compile(&schemas(case));
    }
    let mut files = read(&before);
    files.extend(read(&tests("common/schemas")));
    let (model, _) = compile(&files).service.unwrap();
    compile_after(&schemas(case), Some(Before { model: &model, consent: false, draft: None }))
}

/// The schemas of a case. One without a service has that of `common/`, and its user. Messages beside the schemas are
/// found there.
pub(crate) fn schemas(case: &Path) -> Vec<File> {
    let mut files = read(&case.join("schemas"));
    let beside = fs::read_dir(case.join("messages")).into_iter().flatten().map(|entry| entry.unwrap().path());
    files.extend(beside.map(|path| File::new(&format!("../messages/{}", name(&path)), fs::read(&path).unwrap())));
    if !case.join("schemas/service.yaml").exists() {
        files.extend(read(&tests("common/schemas")));
    }
    files
}

/// The files of a folder, and of the one with messages in it.
pub(crate) fn read(dir: &Path) -> Vec<File> {
    let paths = |dir: &Path| fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
    let mut paths: Vec<_> = paths(dir).chain(paths(&dir.join("messages"))).filter(|path| path.is_file()).collect();
    paths.sort();
    let below = |path: &Path| path.strip_prefix(dir).unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| File::new(&format!("schemas/{}", below(path)), fs::read(path).unwrap())).collect()
}

/// What `restwell check` prints.
pub(crate) fn report(compiled: &Compiled) -> String {
    let texts =
        compiled.diagnostics.iter().map(|diagnostic| render::text(diagnostic, &compiled.sources, false) + "\n\n");
    let mut report: String = texts.collect();
    report.extend(render::summary(&compiled.diagnostics).map(|summary| summary + "\n"));
    report
}

/// Compares with a file, or rewrites the file where `RESTWELL_UPDATE` is set. Gives what is wrong.
pub(crate) fn compare(actual: &str, expected: &Path) -> Option<String> {
    if std::env::var_os("RESTWELL_UPDATE").is_some() {
        fs::create_dir_all(expected.parent().unwrap()).unwrap();
        fs::write(expected, actual).unwrap();
        return None;
    }
    let text = fs::read_to_string(expected).unwrap_or_default();
    (text != actual).then(|| format!("{} differs; it came out as\n{actual}", expected.display()))
}
