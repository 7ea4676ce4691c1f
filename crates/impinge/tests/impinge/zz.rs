use impinge::*; use impinge_testkit::{polycubes::{Style,pair}, rng::Rng};
#[test] fn zz() { for (name, s) in [("plain",Style::default()),("posed",Style{posed:true,..Default::default()}),("split",Style{split:8,..Default::default()}),("cells",Style{cells:true,..Default::default()})] {
 let mut query=Query::new(); let mut tc=0.0; let t=std::time::Instant::now(); let mut worst=0.0f64;
 for index in 0..150 { let mut rng=Rng::for_case(17,index); let cubes=pair(&mut rng); let m:Vec<_>=(0..2).map(|i|cubes[i].mesh(&mut rng,s)).collect(); let o=BuildOptions::new().quality(Quality::OnDemand); let models:Vec<Model>=m.iter().map(|(m,_)|Model::new(m.clone(),&o)).collect(); let t=std::time::Instant::now(); query.relation(&Body::new(&models[0],m[0].1),&Body::new(&models[1],m[1].1)); let e=t.elapsed().as_secs_f64(); tc+=e; worst=worst.max(e);} 
 println!("{name}: {:.2} ms a pair, worst {:.1}", tc/150.0*1e3, worst*1e3); let _=t; } }
