use super::*;
use quickcheck::quickcheck;

quickcheck! {
    fn generated_plans_are_normal(seed: u64, index: u64) -> bool {
        [Mode::Network, Mode::Peer].into_iter().all(|mode| {
            let plan = Generator::new(seed, mode, Family::V4).plan(index);
            let mut normal = plan.clone();
            normal.normalize();
            normal == plan
        })
    }

    fn the_stream_is_its_plans_in_order(seed: u64) -> bool {
        let generator = Generator::new(seed, Mode::Both, Family::V6);
        let again = generator.clone();
        generator.take(5).eq((0..5).map(|index| again.plan(index)))
    }
}
