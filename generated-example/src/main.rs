//! The program of Marketplace API: `serve` (the default), and whatever else `--help` tells.

fn main() -> std::process::ExitCode {
    restwell::main(marketplace::service())
}
