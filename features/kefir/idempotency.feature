Feature: What is sent again is made once
  An app whose answer got lost sends its request again with the same Idempotency-Key. The batch, note or reminder is there
  once, and the app gets it.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R12.batch
  Scenario: A batch that is started again with the same key is the same batch
    When "ana" starts the batch "figs" with the idempotency key "k1"
    Then the answer is 201
    And the answer has no header "Idempotency-Replayed"
    Given the answer's "batchId" is called "first"
    When the app sends the same request again
    Then the answer is 200
    And the answer's header "Idempotency-Replayed" is "true"
    And the answer's "batchId" is "{first}"
    And the table holds 2 "BATCH#" items

  @KF-R12.event
  Scenario: A note that is sent again with the same key is the same note
    When "ana" notes "fizzy" on "ginger" with the idempotency key "k1"
    Then the answer is 201
    Given the answer's "eventId" is called "first"
    When 5 minutes pass
    And the app sends the same request again
    Then the answer is 200
    And the answer's "eventId" is "{first}"
    And the answer's "note" is "fizzy"
    And the table holds 1 "EVENT#" items

  @KF-R12.reminder
  Scenario: A reminder that is sent again with the same key is the same reminder, though it has fallen due
    When "ana" sets the reminder "bottle it" on "ginger" in 2 hours with the idempotency key "k1"
    Then the answer is 201
    Given the answer's "reminderId" is called "first"
    When 3 hours pass
    And the app sends the same request again
    Then the answer is 200
    And the answer's "reminderId" is "{first}"
    And the table holds 1 "REMINDER#" items

  @KF-R12.batch
  Scenario: The answer to a repeat is the batch as it is now
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    And the answer's "batchId" is called "figs"
    When "ana" puts "figs" to "ready"
    And the app sends the same request again
    Then the answer is 200
    And the answer's "status" is "ready"

  @KF-R12.race
  Scenario: Many requests with one key at once make one batch
    Given each TransactWriteItems waits until 2 are there and no more come
    When "ana" starts the batch "figs" with the idempotency key "k1", 6 times at once
    Then 1 of the answers is 201 and the others are 200
    And the table holds 2 "BATCH#" items

  @KF-R12.body
  Scenario: The same key with another batch is refused
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "ana" starts the batch "plums" with the idempotency key "k1"
    Then the answer is 422
    And the answer names the field "header.Idempotency-Key"
    And the table holds 2 "BATCH#" items

  @KF-R12.body
  Scenario: The same key for something else is refused
    Given "ana" has started the batch "figs"
    And "ana" notes "fizzy" on "ginger" with the idempotency key "k1"
    When "ana" notes "fizzy" on "figs" with the idempotency key "k1"
    Then the answer is 422
    And the table holds 1 "EVENT#" items

  @KF-R12.user
  Scenario: A key is of one user
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "bob" starts the batch "figs" with the idempotency key "k1"
    Then the answer is 201
    And the answer's "userId" is "bob"

  @KF-R12.day
  Scenario: A key of a batch is remembered for 24 hours
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When 86399 seconds pass
    And the app sends the same request again
    Then the answer is 200
    When 1 second passes
    And the app sends the same request again
    Then the answer is 201
    And the table holds 3 "BATCH#" items

  @KF-R12.underway
  Scenario: While the first request is under way the second one waits for it, and is told so where that lasts
    Given the store says once that another request is under way
    When "ana" starts the batch "figs" with the idempotency key "k1"
    Then the answer is 201
    Given the store says each time that another request is under way
    When "ana" starts the batch "plums" with the idempotency key "k2"
    Then the answer is 409
    And the table holds 2 "BATCH#" items

  @KF-R12.batch
  Scenario: Without a key each request is a batch of its own
    When "ana" starts the batch "figs"
    And "ana" starts the batch "figs"
    Then the answer is 201
    And the table holds 3 "BATCH#" items

  @KF-R12.private
  Scenario: A key is in no export, and goes with its account
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "ana" exports everything
    Then the export has 2 rows: "2 batch"
    When "ana" sends DELETE /profile
    Then table "kefir-app-dev-table" holds no items
