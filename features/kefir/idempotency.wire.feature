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

  @KF-R12.private
  Scenario: Neither the key nor what was sent with it is in the marker
    Given "ana" starts the batch "a secret recipe" with the idempotency key "order-1234"
    Then no table shows "order-1234"
    And the table holds 1 "IDEM#" items
