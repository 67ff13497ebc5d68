//! Instances of one service, each of which can be killed and started again where it was.

use restwell_testkit::market::line::port;
use restwell_testkit::process::{Folder, Service, folder};
use std::net::SocketAddr;
use std::sync::Mutex;

/// The instances. They share a folder, and so the development key.
pub(crate) struct Instances {
    folder: Folder,
    arguments: Vec<String>,
    instances: Vec<Mutex<Option<Service>>>,
    addresses: Vec<SocketAddr>,
}

impl Instances {
    /// Starts this number of instances, with the same arguments.
    pub(crate) fn start_all(count: usize, arguments: Vec<String>) -> Self {
        let addresses: Vec<_> = (0..count).map(|_| SocketAddr::from(([127, 0, 0, 1], port()))).collect();
        let instances = (0..count).map(|_| Mutex::default()).collect();
        let instances = Self { folder: folder(), arguments, instances, addresses };
        (0..count).for_each(|instance| instances.start(instance));
        instances
    }

    pub(crate) fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Starts one, which is not there.
    #[track_caller]
    pub(crate) fn start(&self, instance: usize) {
        let listen = format!("--listen={}", self.addresses[instance]);
        let arguments: Vec<_> =
            [listen.as_str()].into_iter().chain(self.arguments.iter().map(String::as_str)).collect();
        let service = Service::start_with(self.folder.path(), &arguments);
        *self.instances[instance].lock().expect("no thread has panicked") = Some(service);
    }

    /// Ends one as a power cut would.
    pub(crate) fn kill(&self, instance: usize) {
        let service = self.instances[instance].lock().expect("no thread has panicked").take();
        service.expect("it was there").kill();
    }

    /// Does something with one that is there.
    pub(crate) fn with<T>(&self, instance: usize, work: impl FnOnce(&Service) -> T) -> T {
        work(self.instances[instance].lock().expect("no thread has panicked").as_ref().expect("it is there"))
    }

    /// Ends all in good order.
    #[track_caller]
    pub(crate) fn stop(self) {
        let services = self.instances.into_iter().filter_map(|it| it.into_inner().expect("no thread has panicked"));
        services.for_each(|service| _ = service.stop());
    }
}
