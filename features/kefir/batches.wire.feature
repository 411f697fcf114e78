Feature: Batches are tracked from the jar to the archive, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @KF-P2
  Scenario: A user's batches are listed by one query of the user's own items
    Given "ana" has started the batches "figs, ginger, lemon"
    And "bob" has started the batch "plain"
    When "ana" lists all batches
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'USER#ana' AND begins_with(SK, 'BATCH#')"

  @KF-P3
  Scenario: The active batches are the user's batches filtered by their status
    Given "ana" has started the batches "figs, ginger, lemon"
    And "ana" has moved "ginger" to "in_fridge"
    When "ana" lists the batches that are "active"
    Then the store received a Query of "kefir-app-dev-table" where "PK = 'USER#ana' AND begins_with(SK, 'BATCH#')", filtered by "status = 'active'"

  @KF-P4.index
  Scenario: A batch is found by its id alone, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" looks at "ginger"
    Then the store received, in this order:
      | Query of index "GSI1" of "kefir-app-dev-table" where "GSI1PK = 'BATCH#{ginger}'"                       |
      | GetItem of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'", consistent         |

  @KF-P4.absent
  Scenario: An unknown batch is not found
    When "ana" sends GET /batches/no-such-batch
    Then it is not found

  @KF-P4.fresh @needs:commands
  Scenario: A new batch can be read and changed before the index contains it
    Given the index lags behind the table
    When "ana" starts the batch "ginger"
    And "ana" looks at "ginger"
    Then the response's "status" is "active"
    And the index "GSI1" has no entries
    When "ana" moves "ginger" to "ready"
    Then the response is 200
    When "ana" looks at "ginger"
    Then the response's "status" is "ready"
    When "ana" notes "fizzy" on "ginger"
    And "ana" looks at the timeline of "ginger"
    Then the response is 200

  @KF-P13.all @KF-D1
  Scenario: All users' batches of one status come from their own index
    Given "ana" has started the batch "figs"
    And "ana" has moved "figs" to "ready"
    And 1 minute passes
    And "bob" has started the batches "plain"
    And "bob" has moved "plain" to "ready"
    And "bob" has started the batch "hibiscus"
    When the operator lists all users' batches that are "ready"
    Then the store received a Query of index "GSI2" of "kefir-app-dev-table" where "GSI2PK = 'STATUS#ready'", descending
    And the store received no Scan

  @KF-P13.consistency @needs:commands
  Scenario: A batch is not listed under an old status that the index still shows
    Given the index lags behind the table
    And "ana" starts the batch "ginger"
    And "ana" starts the batch "figs"
    And 10 seconds pass
    When "ana" moves "ginger" to "ready"
    And the operator lists all users' batches that are "active"
    Then the list is "figs"
    When 10 seconds pass
    And the operator lists all users' batches that are "ready"
    Then the list is "ginger"

  @KF-D7
  Scenario: All users' batches of one status share one partition key of the index
    Given "ana" has started the batch "ginger"
    And "bob" has started the batch "figs"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | GSI2PK | 'STATUS#active' |
    And the item of "kefir-app-dev-table" where "PK = 'USER#bob' AND SK = 'BATCH#{figs}'" has:
      | GSI2PK | 'STATUS#active' |

  @KF-D1
  Scenario: The documented query of batches by status is refused, because a partition key cannot be queried by prefix
    Given "ana" has started the batch "ginger"
    When a client sends a Query of index "GSI1" of "kefir-app-dev-table" where "begins_with(GSI1PK, 'BATCH#') AND begins_with(GSI1SK, 'STATUS#active')"
    Then the store refuses it with ValidationException
    When "ana" lists the batches that are "active"
    Then the list is "ginger"
    When the operator lists all users' batches that are "active"
    Then the list is "ginger"

  @KF-R1.event
  Scenario: A change of status updates the index key and adds an event in one transaction
    Given "ana" has started the batch "ginger"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | GSI1SK | 'STATUS#active#{now}' |
    And this moment is saved as "start"
    When 3 hours pass
    And "ana" moves "ginger" to "in_fridge"
    Then the response's "status" is "in_fridge"
    And the store received a transaction of:
      | Update of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'", only if "status = 'active'" |
      | Put of "kefir-app-dev-table"                                                                                   |
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | status    | 'in_fridge' |
      | updatedAt | '{now}'     |
    When "ana" lists the events of "ginger"
    Then the list is "active to in_fridge"

  @KF-R1.index
  Scenario: The index key contains the new status and the start time of the batch
    Given "ana" has started the batch "ginger"
    When "ana" moves "ginger" to "ready"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | GSI1PK | 'BATCH#{ginger}'     |
      | GSI1SK | 'STATUS#ready#{now}' |
      | GSI2PK | 'STATUS#ready'       |

  @KF-R1.once
  Scenario: Many simultaneous moves to the same status move a batch once, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" moves "ginger" to "ready" 12 times at once
    Then all responses are 200

  @KF-R1.once
  Scenario: A move that another one has overtaken starts from the new status, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" moves "ginger" to "ready" while it is moved to "in_fridge"
    And "ana" lists the events of "ginger"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | status | 'ready'        |
      | GSI2PK | 'STATUS#ready' |

  @KF-R1.repeat
  Scenario: Setting the current status again changes nothing
    Given "ana" has started the batch "ginger"
    And "ana" has moved "ginger" to "ready"
    When "ana" moves "ginger" to "ready"
    Then the response is 200
    And the store received no TransactWriteItems
    And the table holds 1 "EVENT#" item

  @KF-R1.once @needs:commands
  Scenario: A change whose response is lost is made once
    Given "ana" has started the batch "ginger"
    And the next TransactWriteItems of "kefir-app-dev-table" loses its response
    When "ana" moves "ginger" to "ready"
    Then the response is 200
    And the table holds 1 "EVENT#" item

  @KF-R2.fields
  Scenario: Bottling moves a batch to stage 2 and adds an event in one transaction
    Given "ana" has started the batch "ginger"
    When 2 days pass
    And "ana" bottles "ginger"
    Then the store received a transaction of:
      | Update of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'", only if "stage = 1" |
      | Put of "kefir-app-dev-table"                                                                           |
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | stage              | 2       |
      | bottleCount        | 3       |
      | bottleVolumeMl     | 330     |
      | temperatureCStage2 | 20      |
      | targetHoursStage2  | 24      |
      | startTimeStage2    | '{now}' |

  @KF-R2.repeat
  Scenario: Bottling a batch again changes nothing, on the wire
    Given "ana" has started the batch "ginger"
    And "ana" bottles "ginger" in 3 bottles
    When "ana" bottles "ginger" in 9 bottles
    Then the store received no TransactWriteItems
    And the table holds 1 "EVENT#" item

  @KF-R2.once
  Scenario: Many simultaneous bottlings bottle a batch once
    Given "ana" has started the batch "ginger"
    When "ana" bottles "ginger" 12 times at once
    Then all responses are 200
    And the table holds 1 "EVENT#" item

  @KF-R2.once
  Scenario: Of two simultaneous bottlings, the first one counts, on the wire
    Given "ana" has started the batch "ginger"
    When "ana" bottles "ginger" in 3 bottles while it is bottled in 9
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | bottleCount | 9 |
    And the table holds 1 "EVENT#" item

  @KF-R2.early
  Scenario: Fields of stage 2 cannot be set before stage 2
    Given "ana" has started the batch "ginger"
    When "ana" changes "ginger" to {"bottleCount": 3}
    Then the response is 422
    And the response names the field "body.bottleCount"

  @KF-R3.archived
  Scenario: Archiving records the time, and reactivating the batch removes it, on the wire
    Given "ana" has started the batch "ginger"
    When 5 hours pass
    And "ana" moves "ginger" to "archived"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | archivedAt | '{now}' |

  @KF-R3.refused
  Scenario Outline: A batch request with <what> is refused, and nothing is written
    Given "ana" has started the batch "ginger"
    When "ana" sends <request>
    Then the response is 422
    And the response names the field "<field>"
    And the store received no request

    Examples:
      | what                   | request                                                                                                     | field       |
      | an unknown status      | POST /batches/{ginger}/status with {"status": "drunk"}                                                      | body.status |
      | a status in capitals   | POST /batches/{ginger}/status with {"status": "READY"}                                                      | body.status |
      | no status              | POST /batches/{ginger}/status with {"status": null}                                                         | body.status |
      | stage 3                | POST /batches/{ginger}/stage with {"stage": 3, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24} | body.stage  |
      | the way back to 1      | POST /batches/{ginger}/stage with {"stage": 1, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24} | body.stage  |
      | a status by a change   | PATCH /batches/{ginger} with {"status": "ready"}                                                            | body.status |
      | a stage by a change    | PATCH /batches/{ginger} with {"stage": 2}                                                                   | body.stage  |
      | a list of such a status | GET /batches?status=drunk                                                                                  | query.status |

  @KF-R7.absent
  Scenario: Optional fields that were not set are absent, on the wire
    When "ana" starts the batch "ginger"
    Then the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "fruits"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "isPublic"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "bottleCount"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "archivedAt"

  @KF-R7.absent
  Scenario: Optional fields that are cleared are removed
    Given "ana" has started the batch "ginger"
    And "ana" changes "ginger" to {"fruits": "2 figs", "publicNote": "try it", "isPublic": true}
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | fruits   | '2 figs' |
      | isPublic | true     |
    When "ana" changes "ginger" to {"fruits": "", "publicNote": "", "isPublic": false}
    Then the response is 200
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "fruits"
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has no "isPublic"

  @KF-R7.old
  Scenario: A batch without the optional attributes can be read and changed
    Given "ana" has the old batch "first one" in the store, without the optional attributes
    When "ana" looks at "first one"
    Then the response's "name" is "first one"
    And the response has no "fruits"
    When "ana" moves "first one" to "archived"
    Then the response is 200
    When the operator lists all users' batches that are "archived"
    Then the list is "first one"
