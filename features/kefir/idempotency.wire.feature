Feature: Idempotency keys, on the wire
  The marker of a key is an item of its user, written in the same transaction as the data.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R12.together
  Scenario Outline: <thing> and the marker of its key are written in one transaction
    When "ana" <does> with the idempotency key "k1"
    Then the store received a transaction of:
      | Put of "kefir-app-dev-table"                                                                |
      | Put of "kefir-app-dev-table", only if "attribute_not_exists(PK) OR ttl <= {seconds in 0 days}" |

    Examples:
      | thing      | does                                            |
      | A batch    | starts the batch "figs"                         |
      | A note     | notes "fizzy" on "ginger"                       |
      | A reminder | sets the reminder "bottle" on "ginger" in 2 hours |

  @KF-R12.together
  Scenario: A repeated request writes nothing
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    And earlier requests are ignored
    When the app sends the same request again
    Then the response is 200
    And the store received no TransactWriteItems
    And the store received no PutItem

  @KF-R12.body
  Scenario: An empty key is refused
    When "ana" starts the batch "figs" with the idempotency key ""
    Then it is refused as invalid
    And the response names the field "header.Idempotency-Key"

  @KF-R12.private
  Scenario: The marker contains neither the key nor the request
    Given "ana" starts the batch "a secret recipe" with the idempotency key "order-1234"
    Then no table contains "order-1234"
    And no "IDEM#" item contains "a secret recipe"

  @KF-R12.batch
  Scenario: A batch that is started again with the same key is not started twice
    When "ana" starts the batch "figs" with the idempotency key "k1"
    Then it is created
    And the response has no header "Idempotency-Replayed"
    Given the response's "batchId" is saved as "first"
    When the app sends the same request again
    Then the request succeeds
    And the response's header "Idempotency-Replayed" is "true"
    And the response's "batchId" is "{first}"
    And there are 2 batches in all

  @KF-R12.race
  Scenario: Many simultaneous requests with one key start one batch
    Given each TransactWriteItems waits until 2 have arrived and no more follow
    When "ana" starts the batch "figs" with the idempotency key "k1", 6 times at once
    Then 1 of the responses is 201 and the others are 200
    And there are 2 batches in all

  @KF-R12.body
  Scenario: The same key with another batch is refused
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "ana" starts the batch "plums" with the idempotency key "k1"
    Then it is refused as invalid
    And the response names the field "header.Idempotency-Key"
    And there are 2 batches in all

  @KF-R12.private
  Scenario: A key appears in no export and is deleted with its account
    Given "ana" starts the batch "figs" with the idempotency key "k1"
    When "ana" exports everything
    Then the export has 2 rows: "2 batch"
    When "ana" sends DELETE /profile
    Then no data of anybody is left
