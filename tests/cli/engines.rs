//! The choice of engines, and what is around the native one.

use crate::{Answer, answer, answer_to, folder, vlad};
use serde_json::{Value, json};
use vlad_conformance::engine::Engine;

#[test]
fn every_engine_runs_programs() {
    let names = Engine::ALL.map(Engine::name);
    for name in names.iter().copied().chain(["auto", "all"]) {
        assert_eq!(
            answer_to(&["--engine", name, "-e", "(write (read-real)) (+ 1 (read-real))"], b"1 2").succeeded(),
            "1\n1\n3\n"
        );
        answer(&["--engine", name, "-e", "1 (car 2)"]).failed("1\n", "error[type]: `car` expects a pair, found 2");
        answer(&["--engine", name, "--max-steps", "3", "-e", "1 (+ 1 2)"]).failed("1\n", "error[steps]:");
    }
}

#[test]
fn all_engines_are_named_in_json() {
    let told: Value = serde_json::from_str(&answer(&["--engine", "all", "--json", "-e", "1"]).succeeded()).unwrap();
    assert_eq!(told["engines"], json!(Engine::ALL.map(Engine::name)));
    assert_eq!((&told["engine"], &told["status"]), (&json!("interp"), &json!("ok")));
    assert_eq!((&told["disagreements"], &told["output"][0]["text"]), (&json!([]), &json!("1")));
}

#[test]
fn limits_hold_for_each_engine() {
    let endless = "(define (f x) (f x)) 1 (f 1)";
    answer(&["--engine", "all", "--timeout", "0.5", "-e", endless]).failed("1\n", "error[time]:");
    answer(&["--engine", "all", "--max-steps", "100000", "-e", endless]).failed("1\n", "error[steps]:");
    let deep = "(define (f x) (+ 1 (f x))) 1 (f 1)";
    answer(&["--engine", "all", "--max-memory", "200M", "-e", deep]).failed("1\n", "error[memory]:");
}

#[test]
fn the_cache_is_where_the_variable_says() {
    let folder = folder("cache of a 'user'\n", &[]);
    let told: Answer = vlad().args(["cache", "path"]).env("VLAD_CACHE", &folder).output().unwrap().into();
    assert_eq!(told.succeeded(), format!("{}\n", folder.display()));
    let told: Answer = vlad().args(["cache", "clear"]).env("VLAD_CACHE", &folder).output().unwrap().into();
    assert!(told.succeeded().starts_with("0 objects, 0 bytes removed from "));
    let mut nowhere = vlad();
    nowhere.args(["cache", "path"]).env_remove("VLAD_CACHE").env_remove("XDG_CACHE_HOME").env_remove("HOME");
    Answer::from(nowhere.output().unwrap()).failed("", "error[file]: there is no cache");
    let file: Answer = vlad().args(["cache", "clear"]).env("VLAD_CACHE", "/dev/null").output().unwrap().into();
    file.failed("", "error[file]: the cache /dev/null cannot be emptied");
}

#[test]
fn the_doctor_tells_what_is_missing() {
    let folder = folder("doctor", &[]);
    let told = vlad().args(["doctor", "--cc", "no such compiler"]).env("VLAD_CACHE", &folder).output().unwrap();
    let told: Answer = told.into();
    assert_eq!((told.code, told.errors.as_str()), (Some(4), ""));
    for line in ["no such compiler (from --cc)", "--engine hybrid", "cache ", "native     does not work"] {
        assert!(told.output.contains(line), "{line}: {}", told.output);
    }
    let told: Answer = vlad().args(["doctor", "--cc", "false"]).env("VLAD_CACHE", &folder).output().unwrap().into();
    assert_eq!(told.code, Some(4));
    assert!(told.output.contains("trial      the C compiler"), "{}", told.output);
}
