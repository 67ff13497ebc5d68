//! Lists on 10,000 and on 1,000,000 offers: whole requests through the axum router, the same ones on both, so that the
//! ratio of the two shows how much a list depends on the size of its table. `count` is measured separately.

#![allow(unreachable_pub)] // the derives want what they are given public

use axum::Router;
use axum::body::{Body, to_bytes};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use http::{Request, header};
use rusqlite::{Connection, params};
use std::hint::black_box;
use std::path::{Path, PathBuf};
use tokio::runtime::Runtime;
use tower::ServiceExt;

const MEDIA_TYPE: &str = "application/vnd.service.public.v1+json";
const SIZES: [u64; 2] = [10_000, 1_000_000];
/// The first offer's creation: 2025.
const BEGINNING: u64 = 1_735_689_600_000;

/// What is asked for, 50 at a time. One offer in four is a book, one in a hundred has a stock of 7, prices reach
/// 100,000.00 and hardly repeat; `maker` is rare: a hundred offers each, at any size.
const LISTS: [(&str, &str); 15] = [
    ("first page", ""),
    ("equality", "category=BOOKS"),
    ("several values", "category=BOOKS&category=TOYS"),
    ("two equalities", "category=BOOKS&stock=7"),
    ("rare equality, sort", "maker=7&sort=-buyNow"),
    ("equality, sort", "category=BOOKS&sort=buyNow"),
    ("equality, descending sort", "category=BOOKS&sort=-buyNow"),
    ("range, sort on it", "buyNow.amount.gte=500.00&sort=buyNow"),
    ("range, sort on another", "stock.gt=5&sort=-buyNow"),
    ("range, equality, two sorts", "category=BOOKS&buyNow.amount.gte=10&stock.gt=5&sort=-buyNow,createdAt"),
    ("sort", "sort=buyNow"),
    ("descending sort", "sort=-buyNow"),
    ("sort, few values", "sort=stock"),
    ("descending sort, few values", "sort=-stock"),
    ("descending sort, nulls", "sort=-rating"),
];
/// Counted if the page does not give the number.
const COUNTS: [(&str, &str); 5] = [
    ("all", ""),
    ("equality", "category=BOOKS"),
    ("range", "buyNow.amount.gte=500.00"),
    ("two equalities", "category=BOOKS&stock=7"),
    ("range, equality, two sorts", "category=BOOKS&buyNow.amount.gte=10&stock.gt=5&sort=-buyNow,createdAt"),
];
/// How far from the start a page is.
const OFFSETS: [(&str, &str); 3] = [
    ("by id", "offset=9000"),
    ("equality", "category=BOOKS&offset=2000"),
    ("descending sort", "sort=-stock&offset=9000"),
];

/// The same offers twice, for a resource says whether its collections are counted.
macro_rules! offers {
    ($module:ident $(, $key:ident = $value:literal)?) => {
        mod $module {
            use restwell::{Builder, Enum, Price, Resource};

            /// Something that a seller puts up for sale.
            #[derive(Debug, Clone, Resource)]
            #[resource(operations(list) $(, $key = $value)?)]
            pub struct Offer {
                #[field(max_length = 200)]
                pub name: String,
                pub description: Option<String>,
                #[field(filter, sort)]
                pub category: Category,
                #[field(filter, sort)]
                pub buy_now: Price,
                #[field(filter, sort)]
                pub stock: i64,
                #[field(filter)]
                pub maker: i64,
                #[field(filter, sort)]
                pub rating: Option<i64>,
            }

            /// What kind of thing it is.
            #[derive(Debug, Clone, Enum)]
            pub enum Category {
                Books,
                Music,
                Garden,
                Toys,
            }

            pub fn service() -> Builder {
                Builder::new("offers").resource::<Offer>()
            }
        }
    };
}

offers!(counted);
offers!(uncounted, count = false);

/// The database with this number of offers; made once, and again if the tables have changed.
fn database(offers: u64) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("lists-{offers}.db"));
    if !path.exists() || restwell::router(counted::service(), &url(&path)).is_err() {
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", path.display()));
        }
        let made = path.with_extension("part");
        let _ = std::fs::remove_file(&made);
        drop(restwell::router(counted::service(), &url(&made)).expect("the service makes its tables"));
        fill(&mut Connection::open(&made).expect("the file is there"), offers).expect("offers are inserted");
        std::fs::rename(&made, &path).expect("the file is renamed");
    }
    path
}

fn url(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}

fn fill(connection: &mut Connection, offers: u64) -> rusqlite::Result<()> {
    connection.execute_batch("PRAGMA cache_size = -1048576; PRAGMA synchronous = OFF;")?;
    let transaction = connection.transaction()?;
    let mut insert = transaction.prepare(
        "INSERT INTO \"offers\" (\"id\", \"created_at\", \"updated_at\", \"name\", \"description\", \"category\", \
         \"buy_now_amount\", \"buy_now_currency\", \"stock\", \"maker\", \"rating\") \
         VALUES (?1, ?2, ?2, ?3, ?4, ?5, ?6, 'PLN', ?7, ?8, ?9)",
    )?;
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for number in 0..offers {
        // xorshift: offers of every kind, the same ones each time
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let millis = BEGINNING + number * 1000;
        let id = uuid::Builder::from_unix_timestamp_millis(millis, &u80(random)).into_uuid();
        insert.execute(params![
            id.as_bytes().as_slice(),
            millis.cast_signed(),
            format!("Offer {number}, a quiet garden bench"),
            (!random.is_multiple_of(5)).then_some("Wood, two seats, once painted green, kept under a roof since."),
            ["BOOKS", "MUSIC", "GARDEN", "TOYS"][(random >> 8) as usize % 4],
            ((random >> 16) % 10_000_000).cast_signed(),
            ((random >> 40) % 100).cast_signed(),
            ((random >> 24) % (offers / 100)).cast_signed(),
            (!(random >> 50).is_multiple_of(4)).then_some(((random >> 52) % 5).cast_signed()),
        ])?;
    }
    drop(insert);
    transaction.commit()?;
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
}

fn u80(random: u64) -> [u8; 10] {
    let mut bytes = [0; 10];
    bytes[2..].copy_from_slice(&random.to_be_bytes());
    bytes
}

async fn list(router: &Router, query: &str) -> Vec<u8> {
    let request = Request::builder().uri(format!("/offers?{query}"));
    let request = request.header(header::USER_AGENT, "b/1").header(header::ACCEPT, MEDIA_TYPE);
    let request = request.body(Body::empty()).expect("a request of constants");
    let answer = router.clone().oneshot(request).await.expect("a router never fails");
    assert!(answer.status().is_success(), "{query}: {}", answer.status());
    to_bytes(answer.into_body(), usize::MAX).await.expect("a body in memory").to_vec()
}

fn compare(
    c: &mut Criterion,
    group: &str,
    runtime: &Runtime,
    services: &[(u64, Router)],
    lists: &[(&str, &str)],
    limit: u32,
) {
    let mut group = c.benchmark_group(group);
    group.sample_size(20);
    for (name, query) in lists {
        for (size, service) in services {
            let query = format!("{query}&limit={limit}");
            let query = query.trim_start_matches('&');
            let id = BenchmarkId::new(*name, size);
            group.bench_function(id, |b| b.iter(|| black_box(runtime.block_on(list(service, query)))));
        }
    }
    group.finish();
}

fn lists(c: &mut Criterion) {
    let databases = SIZES.map(|size| (size, database(size)));
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::env::set_current_dir(folder.path()).expect("the folder is there");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let open = |service: fn() -> restwell::Builder| {
        let open = |(size, path): &(u64, PathBuf)| (*size, restwell::router(service(), &url(path)).expect("it opens"));
        databases.iter().map(open).collect::<Vec<_>>()
    };
    let plain = open(uncounted::service);
    compare(c, "page", &runtime, &plain, &LISTS, 50);
    compare(c, "far", &runtime, &plain, &OFFSETS, 50);
    let counted = open(counted::service);
    // a page of nothing is the count alone
    compare(c, "count", &runtime, &counted, &COUNTS, 0);
}

criterion_group!(benches, lists);
criterion_main!(benches);
