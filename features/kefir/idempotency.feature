Feature: What is sent again is made once
  An app whose answer got lost sends its request again with the same Idempotency-Key. The batch, note or reminder is there
  once, and the app gets it.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R12.event
  Scenario: A note that is sent again with the same key is the same note
    When "ana" notes "fizzy" on "ginger" with the idempotency key "k1"
    Then it is created
    Given the answer's "eventId" is called "first"
    When 5 minutes pass
    And the app sends the same request again
    Then the request succeeds
    And the answer's "eventId" is "{first}"
    And the answer's "note" is "fizzy"
    And there is 1 note in all

  @KF-R12.reminder
  Scenario: A reminder that is sent again with the same key is the same reminder, though it has fallen due
    When "ana" sets the reminder "bottle it" on "ginger" in 2 hours with the idempotency key "k1"
    Then it is created
    Given the answer's "reminderId" is called "first"
    When 3 hours pass
    And the app sends the same request again
    Then the request succeeds
    And the answer's "reminderId" is "{first}"
    And there is 1 reminder in all

  @KF-R12.batch
  Scenario: The answer to a repeat is the batch as it is now
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    And the answer's "batchId" is called "figs"
    When "ana" puts "figs" to "ready"
    And the app sends the same request again
    Then the request succeeds
    And the answer's "status" is "ready"

  @KF-R12.body
  Scenario: The same key for something else is refused
    Given "ana" has started the batch "figs"
    And "ana" notes "fizzy" on "ginger" with the idempotency key "k1"
    When "ana" notes "fizzy" on "figs" with the idempotency key "k1"
    Then it is refused as invalid
    And there is 1 note in all

  @KF-R12.user
  Scenario: A key is of one user
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "bob" starts the batch "figs" with the idempotency key "k1"
    Then it is created
    And the answer's "userId" is "bob"

  @KF-R12.day
  Scenario: A key of a batch is remembered for 24 hours
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When 86399 seconds pass
    And the app sends the same request again
    Then the request succeeds
    When 1 second passes
    And the app sends the same request again
    Then it is created
    And there are 3 batches in all

  @KF-R12.underway
  Scenario: While the first request is under way the second one waits for it, and is told so where that lasts
    Given another request with the key is under way for a moment
    When "ana" starts the batch "figs" with the idempotency key "k1"
    Then it is created
    Given another request with the key stays under way
    When "ana" starts the batch "plums" with the idempotency key "k2"
    Then it is refused as a conflict
    And there are 2 batches in all

  @KF-R12.batch
  Scenario: Without a key each request is a batch of its own
    When "ana" starts the batch "figs"
    And "ana" starts the batch "figs"
    Then it is created
    And there are 3 batches in all
