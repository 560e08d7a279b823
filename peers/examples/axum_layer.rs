//! A layer of axum that rewrites the links of every response: IRIs become URIs in HTML, JSON, text and whatever else
//! iriscan reads, while the body streams. Nothing is held but what the next chunk may go on with.
//!
//! ```sh
//! cargo run --manifest-path peers/Cargo.toml --example axum_layer
//! ```

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::{HeaderMap, header},
    middleware::{Next, from_fn},
    response::Response,
    routing::get,
};
use futures_util::stream;
use iriscan::{Charset, Config, Finder, Format, RewriteStream};
use tower::ServiceExt;

/// What reads a response with these header fields; `None` if it is not text, or is compressed.
fn finder(headers: &HeaderMap) -> Option<Finder> {
    if headers.contains_key(header::CONTENT_ENCODING) {
        return None;
    }
    let media_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    let format = Format::from_media_type(media_type)?;
    let charset = media_type.split(';').find_map(|parameter| {
        let (name, value) = parameter.trim().split_once('=')?;
        name.eq_ignore_ascii_case("charset").then(|| value.trim_matches('"'))
    });
    // Without a charset, or with one that nobody knows, it is detected.
    let charset = charset.and_then(|label| Charset::for_label(label).ok());
    Config::new().format(format).charset(charset).build().ok()
}

/// The layer.
async fn rewrite_links(request: Request, next: Next) -> Response {
    let (mut parts, body) = next.run(request).await.into_parts();
    let Some(finder) = finder(&parts.headers) else { return Response::from_parts(parts, body) };
    // The body becomes another one.
    for name in [header::CONTENT_LENGTH, header::ETAG, header::ACCEPT_RANGES] {
        parts.headers.remove(name);
    }
    let body = Body::from_stream(RewriteStream::new(body.into_data_stream(), &finder));
    Response::from_parts(parts, body)
}

/// A page in chunks, the second of which begins within a character of a link.
async fn page() -> Response {
    let page = "<p>見て <a href='http://例え.jp/道'>http://例え.jp/道</a>。".as_bytes();
    let chunks = [&page[..27], &page[27..]].map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec()));
    let response = Response::builder().header(header::CONTENT_TYPE, "text/html; charset=utf-8");
    response.body(Body::from_stream(stream::iter(chunks))).expect("the fields should be valid")
}

/// What is no text stays.
async fn picture() -> Response {
    let response = Response::builder().header(header::CONTENT_TYPE, "image/png");
    response.body(Body::from("http://例え.jp/")).expect("the field should be valid")
}

fn main() -> Result<(), axum::Error> {
    let app = Router::new()
        .route("/", get(page))
        .route("/picture", get(picture))
        .layer(from_fn(rewrite_links));
    let ask = async |path: &str| {
        let request = Request::get(path).body(Body::empty()).expect("the path should be valid");
        let Ok(response) = app.clone().oneshot(request).await;
        to_bytes(response.into_body(), usize::MAX).await
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().build().map_err(axum::Error::new)?;
    runtime.block_on(async {
        let uri = "http://xn--r8jz45g.jp/%E9%81%93";
        let page = ask("/").await?;
        assert_eq!(page, format!("<p>見て <a href='{uri}'>{uri}</a>。"));
        assert_eq!(ask("/picture").await?, "http://例え.jp/");
        println!("{}", String::from_utf8_lossy(&page));
        Ok(())
    })
}
