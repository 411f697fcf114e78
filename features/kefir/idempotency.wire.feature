Feature: Idempotency keys on the wire
  The marker of a key is an item of its user, written in the transaction that makes the thing.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R12.together
  Scenario Outline: <thing> and the marker of its key are one transaction
    When "ana" <does> with the idempotency key "k1"
    Then the store was asked for a transaction of:
      | Put of "kefir-app-dev-table"                                                                |
      | Put of "kefir-app-dev-table", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}" |

    Examples:
      | thing      | does                                            |
      | A batch    | starts the batch "figs"                         |
      | A note     | notes "fizzy" on "ginger"                       |
      | A reminder | sets the reminder "bottle" on "ginger" in 2 hours |

  @KF-R12.together
  Scenario: A repeat writes nothing
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    And what was asked before is forgotten
    When the app sends the same request again
    Then the answer is 200
    And the store was never asked for a TransactWriteItems
    And the store was never asked for a PutItem

  @KF-R12.body
  Scenario: An empty key is refused, and not taken for none
    When "ana" starts the batch "figs" with the idempotency key ""
    Then it is refused as invalid
    And the answer names the field "header.Idempotency-Key"

  @KF-R12.private
  Scenario: Neither the key nor what was sent with it is in the marker
    Given "ana" starts the batch "a secret recipe" with the idempotency key "order-1234"
    Then no table shows "order-1234"
    And the table holds 1 "IDEM#" items

  @KF-R12.batch
  Scenario: A batch that is started again with the same key is the same batch
    When "ana" starts the batch "figs" with the idempotency key "k1"
    Then it is created
    And the answer has no header "Idempotency-Replayed"
    Given the answer's "batchId" is called "first"
    When the app sends the same request again
    Then the request succeeds
    And the answer's header "Idempotency-Replayed" is "true"
    And the answer's "batchId" is "{first}"
    And there are 2 batches in all

  @KF-R12.race
  Scenario: Many requests with one key at once make one batch
    Given each TransactWriteItems waits until 2 are there and no more come
    When "ana" starts the batch "figs" with the idempotency key "k1", 6 times at once
    Then 1 of the answers is 201 and the others are 200
    And there are 2 batches in all

  @KF-R12.body
  Scenario: The same key with another batch is refused
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "ana" starts the batch "plums" with the idempotency key "k1"
    Then it is refused as invalid
    And the answer names the field "header.Idempotency-Key"
    And there are 2 batches in all

  @KF-R12.private
  Scenario: A key is in no export, and goes with its account
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "ana" exports everything
    Then the export has 2 rows: "2 batch"
    When "ana" sends DELETE /profile
    Then nothing is kept of anybody
