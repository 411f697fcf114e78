//! A small shop on DynamoDB with the AWS SDK for Rust. It prints a line for each step and panics at the first answer that differs
//! from the documented one. The SDK reads the endpoint from AWS_ENDPOINT_URL.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue::{self, N, S, Ss};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType, PutRequest,
    ReturnValue, ReturnValuesOnConditionCheckFailure, ScalarAttributeType, Select, TransactWriteItem, Update, WriteRequest,
};
use aws_sdk_dynamodb::{error::ProvideErrorMetadata, Client};

const TABLE: &str = "shop-rust";

#[tokio::main]
async fn main() {
    let db = Client::new(&aws_config::load_from_env().await);
    create(&db).await;
    items(&db).await;
    conditions(&db).await;
    update(&db).await;
    transaction(&db).await;
    queries(&db).await;
    db.delete_table().table_name(TABLE).send().await.unwrap();
    println!("ok: table deleted");
}

/// Creates a table of orders by customer, with an index by state and amount.
async fn create(db: &Client) {
    let attribute = |name, kind| AttributeDefinition::builder().attribute_name(name).attribute_type(kind).build().unwrap();
    let key = |name, kind| KeySchemaElement::builder().attribute_name(name).key_type(kind).build().unwrap();
    let by_state = GlobalSecondaryIndex::builder()
        .index_name("by-state")
        .key_schema(key("state", KeyType::Hash))
        .key_schema(key("amount", KeyType::Range))
        .projection(Projection::builder().projection_type(ProjectionType::All).build());
    db.create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .attribute_definitions(attribute("customer", ScalarAttributeType::S))
        .attribute_definitions(attribute("id", ScalarAttributeType::S))
        .attribute_definitions(attribute("state", ScalarAttributeType::S))
        .attribute_definitions(attribute("amount", ScalarAttributeType::N))
        .key_schema(key("customer", KeyType::Hash))
        .key_schema(key("id", KeyType::Range))
        .global_secondary_indexes(by_state.build().unwrap())
        .send()
        .await
        .unwrap();
    while db.describe_table().table_name(TABLE).send().await.unwrap().table.unwrap().table_status.unwrap().as_str() != "ACTIVE" {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    println!("ok: table created");
}

/// Writes thirty orders of three customers, which takes two requests, and reads one back.
async fn items(db: &Client) {
    for numbers in [0..25, 25..30] {
        let order = |i: u32| item(&format!("c{}", i % 3), &format!("o{i:02}"), [("state", s("open")), ("amount", N((10 * i).to_string()))]);
        let put = |i| WriteRequest::builder().put_request(PutRequest::builder().set_item(Some(order(i))).build().unwrap()).build();
        let written = db.batch_write_item().request_items(TABLE, numbers.map(put).collect()).send().await.unwrap();
        assert!(written.unprocessed_items.unwrap_or_default().is_empty());
    }
    assert_eq!(N("70".into()), read(db, "c1", "o07").await.unwrap()["amount"]);
    assert_eq!(None, read(db, "c0", "o07").await);
    println!("ok: items written in batches, and read");
}

/// Lets the second of two writers of one order lose, and shows it the order.
async fn conditions(db: &Client) {
    let put = db.put_item().table_name(TABLE).set_item(Some(item("c1", "o07", []))).condition_expression("attribute_not_exists(id)");
    let error = put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld).send().await.unwrap_err();
    assert_eq!(Some("ConditionalCheckFailedException"), error.code());
    match error.into_service_error() {
        aws_sdk_dynamodb::operation::put_item::PutItemError::ConditionalCheckFailedException(failed) => {
            assert_eq!(N("70".into()), failed.item.unwrap()["amount"]);
        }
        other => panic!("{other}"),
    }
    println!("ok: the second writer lost");
}

async fn update(db: &Client) {
    let change = db
        .update_item()
        .table_name(TABLE)
        .set_key(Some(item("c1", "o07", [])))
        .update_expression("SET #state = :paid, amount = amount + :fee ADD tags :tags")
        .condition_expression("#state = :open")
        .expression_attribute_names("#state", "state")
        .expression_attribute_values(":paid", s("paid"))
        .expression_attribute_values(":open", s("open"))
        .expression_attribute_values(":fee", N("5".into()))
        .expression_attribute_values(":tags", Ss(vec!["gift".into()]))
        .return_values(ReturnValue::UpdatedNew);
    let want = HashMap::from([("state", s("paid")), ("amount", N("75".into())), ("tags", Ss(vec!["gift".into()]))]);
    let got = change.clone().send().await.unwrap().attributes.unwrap();
    assert_eq!(want, got.iter().map(|(name, value)| (name.as_str(), value.clone())).collect());
    assert_eq!(Some("ConditionalCheckFailedException"), change.send().await.unwrap_err().code());
    println!("ok: updated once; its condition does not hold twice");
}

/// Commits two writes together, and then nothing of two of which one is refused.
async fn transaction(db: &Client) {
    let pay = |id| {
        let update = Update::builder()
            .table_name(TABLE)
            .set_key(Some(item("c2", id, [])))
            .update_expression("SET #state = :paid")
            .condition_expression("#state = :open")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":paid", s("paid"))
            .expression_attribute_values(":open", s("open"));
        TransactWriteItem::builder().update(update.build().unwrap()).build()
    };
    db.transact_write_items().transact_items(pay("o02")).transact_items(pay("o05")).send().await.unwrap();
    let error = db.transact_write_items().transact_items(pay("o08")).transact_items(pay("o05")).send().await.unwrap_err();
    match error.into_service_error() {
        aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError::TransactionCanceledException(cancelled) => {
            let codes: Vec<_> = cancelled.cancellation_reasons().iter().map(|reason| reason.code().unwrap()).collect();
            assert_eq!(vec!["None", "ConditionalCheckFailed"], codes);
        }
        other => panic!("{other}"),
    }
    assert_eq!(s("open"), read(db, "c2", "o08").await.unwrap()["state"]);
    println!("ok: a transaction is all or nothing");
}

/// Reads a customer's orders by pages, an index from its end, and the whole table by segments.
async fn queries(db: &Client) {
    let found = db
        .query()
        .table_name(TABLE)
        .key_condition_expression("customer = :c AND begins_with(id, :o)")
        .expression_attribute_values(":c", s("c0"))
        .expression_attribute_values(":o", s("o1"))
        .into_paginator()
        .page_size(2)
        .items();
    assert_eq!(vec![s("o12"), s("o15"), s("o18")], ids(found.send().try_collect().await.unwrap()));
    let paid = db
        .query()
        .table_name(TABLE)
        .index_name("by-state")
        .key_condition_expression("#state = :paid AND amount > :least")
        .expression_attribute_names("#state", "state")
        .expression_attribute_values(":paid", s("paid"))
        .expression_attribute_values(":least", N("20".into()))
        .scan_index_forward(false);
    assert_eq!(vec![s("o07"), s("o05")], ids(paid.send().await.unwrap().items.unwrap()));
    let mut count = 0;
    for segment in 0..4 {
        count += db.scan().table_name(TABLE).segment(segment).total_segments(4).select(Select::Count).send().await.unwrap().count;
    }
    assert_eq!(30, count);
    println!("ok: queries by pages and by the index, scans by segments");
}

type Item = HashMap<String, AttributeValue>;

async fn read(db: &Client, customer: &str, id: &str) -> Option<Item> {
    db.get_item().table_name(TABLE).set_key(Some(item(customer, id, []))).consistent_read(true).send().await.unwrap().item
}

fn item<const MORE: usize>(customer: &str, id: &str, more: [(&str, AttributeValue); MORE]) -> Item {
    let key = [("customer", s(customer)), ("id", s(id))];
    key.into_iter().chain(more).map(|(name, value)| (name.to_string(), value)).collect()
}

fn ids(items: Vec<Item>) -> Vec<AttributeValue> {
    items.iter().map(|item| item["id"].clone()).collect()
}

fn s(text: &str) -> AttributeValue {
    S(text.to_string())
}
