Feature: Repeated requests take effect once
  An app that got no response sends its request again with the same Idempotency-Key. The batch, note or reminder is
  created once, and the app gets it.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R12.event
  Scenario: A note that is sent again with the same key is not added twice
    When "ana" notes "fizzy" on "ginger" with the idempotency key "k1"
    Then it is created
    Given the response's "eventId" is saved as "first"
    When 5 minutes pass
    And the app sends the same request again
    Then the request succeeds
    And the response's "eventId" is "{first}"
    And the response's "note" is "fizzy"
    And there is 1 note in all

  @KF-R12.reminder
  Scenario: A reminder that is sent again with the same key is not added twice, even when it is due
    When "ana" sets the reminder "bottle it" on "ginger" in 2 hours with the idempotency key "k1"
    Then it is created
    Given the response's "reminderId" is saved as "first"
    When 3 hours pass
    And the app sends the same request again
    Then the request succeeds
    And the response's "reminderId" is "{first}"
    And there is 1 reminder in all

  @KF-R12.batch
  Scenario: A repeated request returns the current batch
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    And the response's "batchId" is saved as "figs"
    When "ana" moves "figs" to "ready"
    And the app sends the same request again
    Then the request succeeds
    And the response's "status" is "ready"

  @KF-R12.body
  Scenario: The same key for a different request is refused
    Given "ana" has started the batch "figs"
    And "ana" notes "fizzy" on "ginger" with the idempotency key "k1"
    When "ana" notes "fizzy" on "figs" with the idempotency key "k1"
    Then it is refused as invalid
    And there is 1 note in all

  @KF-R12.user
  Scenario: An idempotency key belongs to one user
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "bob" starts the batch "figs" with the idempotency key "k1"
    Then it is created
    And the response's "userId" is "bob"

  @KF-R12.day
  Scenario: The key of a batch is remembered for 24 hours
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When 86399 seconds pass
    And the app sends the same request again
    Then the request succeeds
    When 1 second passes
    And the app sends the same request again
    Then it is created
    And there are 3 batches in all

  @KF-R12.underway
  Scenario: A second request waits for the first one, and is refused if that takes long
    Given another request with the key is in progress for a moment
    When "ana" starts the batch "figs" with the idempotency key "k1"
    Then it is created
    Given another request with the key stays in progress
    When "ana" starts the batch "plums" with the idempotency key "k2"
    Then it is refused as a conflict
    And there are 2 batches in all

  @KF-R12.batch
  Scenario: Without a key, each request starts a new batch
    When "ana" starts the batch "figs"
    And "ana" starts the batch "figs"
    Then it is created
    And there are 3 batches in all
