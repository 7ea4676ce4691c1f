use super::*;
use crate::clock::spin;
use std::time::Duration;

#[test]
fn a_walk_begins_anew_and_goes_through_all_frames_in_order() {
    let mut seen = Vec::new();
    let seconds = walk(3, Vec::new, |state, frame| {
        state.push(frame);
        seen.push(state.clone());
        if frame == 1 {
            spin(2e-3);
        }
    });
    assert!(seen.chunks(3).all(|run| run == [vec![0], vec![0, 1], vec![0, 1, 2]]), "{seen:?}");
    assert!(seen.len() > 3 && seconds.len() == 3);
    assert!(seconds[1].seconds >= 2e-3 && seconds[0].seconds < seconds[1].seconds, "{seconds:?}");
}

/// Half of the repetitions are disturbed: their median would be, too.
#[test]
fn slow_moments_do_not_count() {
    let mut calls = 0;
    let mut disturbed = || {
        calls += 1;
        spin(if calls % 2 == 0 { 0.1e-3 } else { 2e-3 });
    };
    let seconds = time(&mut disturbed).seconds;
    assert!((0.1e-3..1e-3).contains(&seconds), "{seconds}");
    let mut runs = 0;
    let frames = walk(1, || runs += 1, |(), _| disturbed());
    assert!((0.1e-3..1e-3).contains(&frames[0].seconds), "{frames:?}");
}

#[test]
fn short_work_is_done_often_and_long_work_three_times() {
    let calls = |seconds: f64| {
        let mut calls = 0;
        let measured = time(|| {
            calls += 1;
            spin(seconds);
        });
        assert!(measured.rounds.iter().all(|&round| round >= measured.seconds), "{measured:?}");
        (calls, measured.seconds)
    };
    let (short, seconds) = calls(2e-6);
    assert!(short > 30 && (2e-6..50e-6).contains(&seconds), "{short} calls, {seconds} s");
    let (long, seconds) = calls(15e-3);
    assert!(long == 3 && seconds >= 15e-3, "{long} calls, {seconds} s");
}

#[cfg(unix)]
#[test]
fn what_others_take_of_the_processor_does_not_count() {
    let wait = Duration::from_millis(5);
    let seconds = time(|| std::thread::sleep(wait)).seconds;
    assert!(seconds < 0.5 * wait.as_secs_f64(), "{seconds}");
}
