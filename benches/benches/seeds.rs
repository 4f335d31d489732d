//! Criterion benchmarks of programs from the literature: hand-written C and the interpreter side by side, time a unit.

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use std::time::Duration;
use vlad_benches::WORKLOADS;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn seeds(criterion: &mut Criterion) {
    for workload in WORKLOADS {
        let mut group = criterion.benchmark_group(workload.name);
        group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(5));
        group.bench_function("c", |bencher| {
            bencher.iter_custom(|iterations| {
                let unit = workload.run_yardstick().unwrap_or_else(|error| fail(workload.name, &error));
                Duration::from_secs_f64(unit * iterations as f64)
            });
        });
        let program = workload.load().unwrap_or_else(|error| fail(workload.name, &error));
        group.bench_function("interp", |bencher| {
            bencher.iter_custom(|iterations| {
                // One run is several units; the time of the units asked for is the share of them.
                let runs = iterations.div_ceil(u64::from(workload.units));
                let mut time = Duration::ZERO;
                for _ in 0..runs {
                    let run = workload.run_interpreter(&program);
                    time += run.unwrap_or_else(|error| fail(workload.name, &error)).0;
                }
                time.mul_f64(iterations as f64 / (runs * u64::from(workload.units)) as f64)
            });
        });
        group.finish();
    }
}

fn fail(workload: &str, error: &std::io::Error) -> ! {
    eprintln!("{workload}: {error}");
    std::process::exit(1)
}

criterion_group!(benches, seeds);
criterion_main!(benches);
