//! Criterion benchmarks of programs from the literature: hand-written C and every engine side by side, time of a run.

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};
use std::io;
use std::time::Duration;
use vlad_benches::{COMMAND_LIMITS, Subject, WORKLOADS};
use vlad_engines::Engine;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn seeds(criterion: &mut Criterion) {
    for workload in WORKLOADS {
        let Some(yardstick) = workload.yardstick else { continue };
        let mut group = criterion.benchmark_group(workload.example);
        group.sample_size(10).sampling_mode(SamplingMode::Flat).measurement_time(Duration::from_secs(5));
        group.bench_function("c", |bencher| {
            bencher.iter_custom(|iterations| {
                let run = or_exit(workload.example, yardstick.seconds());
                Duration::from_secs_f64(run * iterations as f64)
            });
        });
        let program = or_exit(workload.example, workload.load());
        for engine in Engine::ALL {
            let subject = or_exit(workload.example, Subject::new(engine, &program, &COMMAND_LIMITS));
            group.bench_function(engine.name(), |bencher| {
                bencher.iter_custom(|iterations| {
                    (0..iterations).map(|_| or_exit(workload.example, subject.run()).0).sum()
                });
            });
        }
        group.finish();
    }
}

fn or_exit<T>(workload: &str, result: io::Result<T>) -> T {
    result.unwrap_or_else(|error| {
        eprintln!("{workload}: {error}");
        std::process::exit(1)
    })
}

criterion_group!(benches, seeds);
criterion_main!(benches);
