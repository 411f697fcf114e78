Feature: Batches are private unless they are shared, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  Background:
    Given "ana" has started the batch "ginger"

  @KF-R8.private
  Scenario: To the public, a private batch looks like one that does not exist
    When somebody without a token sends GET /public/batches/no-such-batch
    Then it is not found
    Given that response is remembered
    When anybody reads the public batch "ginger"
    Then the response is identical to the remembered one

  @KF-R8.access @KF-R8.others
  Scenario: The events and reminders of a public batch stay private
    Given "ana" changes "ginger" to {"isPublic": true}
    When somebody without a token sends GET /batches/{ginger}/timeline
    Then the response is 401
    When "bob" sends GET /batches/{ginger}/timeline
    Then it is not found

  @KF-R8.private @needs:commands
  Scenario: A batch that is made private is hidden at once, although the index still shows it as public
    Given the index lags behind the table
    And "ana" starts the batch "figs"
    And "ana" changes "figs" to {"isPublic": true}
    And 10 seconds pass
    And anybody reads the public batch "figs"
    And the response is 200
    When "ana" changes "figs" to {"isPublic": false}
    And anybody reads the public batch "figs"
    Then it is not found

  @KF-R8.others
  Scenario Outline: Another user's batch looks like one that does not exist: <request>
    Given "ana" has set the reminder "bottling" on "ginger" in 2 hours
    When "bob" sends <method> /batches/no-such-batch<rest> with <body>
    Then it is not found
    Given that response is remembered
    When "bob" sends <method> /batches/{ginger}<rest> with <body>
    Then the response is identical to the remembered one
    And table "kefir-app-dev-table" holds 2 items
    And the item of "kefir-app-dev-table" where "PK = 'USER#ana' AND SK = 'BATCH#{ginger}'" has:
      | status | 'active' |
      | stage  | 1        |
    And the item of "kefir-app-dev-table" where "PK = 'BATCH#{ginger}' AND SK = 'REMINDER#{bottling}'" has:
      | status | 'pending' |

    Examples:
      | request            | method | rest                            | body                                                                                  |
      | look               | GET    |                                 |                                                                                       |
      | change             | PATCH  |                                 | {"isPublic": true}                                                                    |
      | bottle             | POST   | /stage                          | {"stage": 2, "bottleCount": 3, "bottleVolumeMl": 330, "targetHoursStage2": 24}        |
      | put to a status    | POST   | /status                         | {"status": "archived"}                                                                |
      | look at all of it  | GET    | /timeline                       |                                                                                       |
      | list its events    | GET    | /events                         |                                                                                       |
      | add an event       | POST   | /events                         | {"type": "note", "note": "mine"}                                                      |
      | list its reminders | GET    | /reminders                      |                                                                                       |
      | set a reminder     | POST   | /reminders                      | {"message": "mine", "dueAt": "{due bottling}"}                                  |
      | cancel a reminder  | POST   | /reminders/{bottling}/cancel   |                                                                                       |

  @KF-R8.access
  Scenario Outline: Batches are refused with <credential>
    When the batches are requested with <credential>
    Then the response is 401
    And the store received no request
    And the response does not contain "ana"

    Examples:
      | credential           |
      | no token             |
      | an expired token     |
      | a forged token       |
      | an unsigned token    |
      | the operator's token |

  @KF-R8.access
  Scenario Outline: All users' batches are refused with <credential>
    When all users' batches are requested with <credential>
    Then the response is 401
    And the store received no request

    Examples:
      | credential     |
      | no token       |
      | a user's token |
      | a forged token |
