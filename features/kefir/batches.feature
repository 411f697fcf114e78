Feature: Batches are followed from the jar to the archive
  Whoever brews starts a batch, bottles it once, and says where it is: active, in the fridge, ready or archived. What changed
  can be read later, and nothing is changed twice.

  @KF-P2
  Scenario: A user's batches are listed
    Given "ana" has started the batches "figs, ginger, lemon"
    And "bob" has started the batch "plain"
    When "ana" lists all batches
    Then the list is "figs, ginger, lemon" in any order

  @KF-P2
  Scenario: Many batches come in pages, each batch once
    Given "ana" has started 7 batches
    When "ana" lists all batches in pages of 3
    Then the pages have 3, 3 and 1 entries
    And the list has 7 entries, each once

  @KF-P3
  Scenario: A user's active batches are listed
    Given "ana" has started the batches "figs, ginger, lemon"
    And "ana" has put "ginger" to "in_fridge"
    When "ana" lists the batches that are "active"
    Then the list is "figs, lemon" in any order

  @KF-P4.index
  Scenario: A batch is found by its id alone
    Given "ana" has started the batch "ginger"
    When "ana" looks at "ginger"
    Then the request succeeds
    And the answer's "name" is "ginger"

  @KF-P13.user
  Scenario Outline: A user's batches of the status <status> are found
    Given "ana" has started the batches "figs, ginger"
    And "ana" has put "ginger" to "<status>"
    When "ana" lists the batches that are "<status>"
    Then the list is "ginger"

    Examples:
      | status    |
      | in_fridge |
      | ready     |
      | archived  |

  @KF-P13.all @KF-D1
  Scenario: All users' batches of a status are listed, the one started last first
    Given "ana" has started the batch "figs"
    And "ana" has put "figs" to "ready"
    And 1 minute passes
    And "bob" has started the batches "plain"
    And "bob" has put "plain" to "ready"
    And "bob" has started the batch "hibiscus"
    When the operator lists all users' batches that are "ready"
    Then the list is "plain, figs"

  @KF-P13.pages @KF-D1
  Scenario: A long list of a status comes in pages, each batch once
    Given "ana" has started 5 batches
    When the operator lists all users' batches that are "active" in pages of 2
    Then the pages have 2, 2 and 1 entries
    And the list has 5 entries, each once

  @KF-R1.once
  Scenario: Many who put a batch to the same status at once move it once
    Given "ana" has started the batch "ginger"
    When "ana" puts "ginger" to "ready" 12 times at once
    And "ana" lists the events of "ginger"
    Then the list is "active to ready"

  @KF-R1.once
  Scenario: Of two who put a batch to the same status one moves it, though both have read the old one
    Given "ana" has started the batch "ginger"
    When "ana" puts "ginger" to "ready", and meanwhile it is put to "ready"
    Then the request succeeds
    And the answer's "status" is "ready"
    When "ana" lists the events of "ginger"
    Then the list is "active to ready"

  @KF-R1.once
  Scenario: A change that another one has overtaken goes on from the status that it finds
    Given "ana" has started the batch "ginger"
    When "ana" puts "ginger" to "ready", and meanwhile it is put to "in_fridge"
    Then the request succeeds
    When "ana" lists the events of "ginger"
    Then the list is "active to in_fridge, in_fridge to ready" in any order

  @KF-R2.fields
  Scenario: Bottling moves a batch to stage 2, and its events tell of it
    Given "ana" has started the batch "ginger"
    When 2 days pass
    And "ana" bottles "ginger"
    Then the answer's "stage" is "2"
    When "ana" lists the events of "ginger"
    Then the list is "stage 1 to 2"

  @KF-R2.repeat
  Scenario: A batch that is bottled already stays as it is
    Given "ana" has started the batch "ginger"
    And "ana" bottles "ginger" in 3 bottles
    When "ana" bottles "ginger" in 9 bottles
    Then the request succeeds
    And the answer's "bottleCount" is "3"

  @KF-R2.once
  Scenario: A batch that is bottled by somebody else meanwhile stays as that one bottled it
    Given "ana" has started the batch "ginger"
    When "ana" bottles "ginger" in 3 bottles, and meanwhile it is bottled in 9
    Then the request succeeds
    And the answer's "bottleCount" is "9"

  @KF-R3.new
  Scenario: A new batch is active and in stage 1
    When "ana" starts the batch "ginger"
    Then it is created
    And the answer's "status" is "active"
    And the answer's "stage" is "1"
    And the answer's "createdAt" is "{now}"

  @KF-R3.archived
  Scenario: Archiving notes when, and a batch that comes back has no such time
    Given "ana" has started the batch "ginger"
    When 5 hours pass
    And "ana" puts "ginger" to "archived"
    Then the answer's "archivedAt" is "{now}"
    When "ana" puts "ginger" to "ready"
    Then the answer has no "archivedAt"

  @KF-R7.absent
  Scenario: What is not set is not there
    When "ana" starts the batch "ginger"
    Then the answer has no "publicNote"
