Feature: A case goes from creation to a decision, on the wire
  The requests that the service sends to its store, the items that the store then holds, and the HTTP responses.

  @VR-R2.submitted @VR-R2.moves @VR-R3.whole @VR-P6 @VR-D2
  Scenario: A client submits a case, on the wire
    Given the case "c1" of "acme" is documents_complete
    When 1 minute passes
    And "acme" submits "c1"
    Then the store received a transaction of:
      | Update of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'", setting "SET status = 'submitted', updatedAt = '{now}', GSI1SK = 'submitted#{opening of c1}'", only if "status = 'documents_complete'" |
      | Put of "AuthBridgeTable", only if "attribute_not_exists(PK)" |
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status    | 'submitted'                 |
      | updatedAt | '{now}'                     |
      | submittedAt | '{now}'                   |
      | GSI1SK    | 'submitted#{opening of c1}' |

  @VR-D2
  Scenario: Updating only the status leaves the case in the wrong list
    Given the case "c1" of "acme" is in_review
    When a client sends an UpdateItem of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'", setting "SET status = 'approved', updatedAt = '{now}'"
    Then the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'approved'                  |
      | GSI1SK | 'in_review#{opening of c1}' |
    When a client sends a Query of index "GSI1" of "AuthBridgeTable" where "GSI1PK = 'CLIENT#{client acme}' AND begins_with(GSI1SK, 'approved#')"
    Then no items are found

  @VR-R2.moves @VR-R2.refused
  Scenario Outline: A case that is <status> can become <possible> by a reviewer, and nothing else
    Given the case "c1" of "acme" is <status>
    Then a reviewer tries every move of "c1" and only <possible> are possible
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | '<status>' |

    Examples:
      | status                | possible                                                            |
      | created               | none                                                                |
      | documents_uploading   | none                                                                |
      | documents_complete    | none                                                                |
      | submitted             | processing                                                          |
      | processing            | pending_review                                                      |
      | pending_review        | in_review                                                           |
      | in_review             | approved, rejected, auto_rejected, resubmission_required, expired   |
      | approved              | none                                                                |
      | rejected              | none                                                                |
      | auto_rejected         | none                                                                |
      | resubmission_required | none                                                                |
      | expired               | none                                                                |

  @VR-R2.decided @VR-R2.moves
  Scenario Outline: A decision ends the case: <decision>
    Given the case "c1" of "acme" is in_review
    When 2 hours pass
    And the reviewer "rita" moves "c1" to <decision>
    Then the response is 200
    And the response's "completedAt" is "{now}"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | completedAt | '{now}' |

    Examples:
      | decision              |
      | approved              |
      | rejected              |
      | auto_rejected         |
      | resubmission_required |
      | expired               |

  @VR-R2.refused
  Scenario: A client cannot complete or submit a case without documents
    Given "acme" has opened the case "c1"
    When "acme" confirms that all documents of "c1" are uploaded
    Then the response is 409
    And the response contains "the case is created"
    When "acme" submits "c1"
    Then the response is 409
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'created' |

  @VR-R3.once @VR-R3.told
  Scenario: Of several simultaneous reviewers one wins, and the others learn the current status, on the wire
    Given the case "c1" of "acme" is in_review
    When 4 reviewers move "c1" at once, to approved and to rejected
    Then 1 of the responses is 200 and the others are 409

  @VR-R3.whole
  Scenario: A move that cannot be audited is not made
    Given the case "c1" of "acme" is in_review
    When the store refuses the next transaction
    And the reviewer "rita" moves "c1" to approved
    Then the response is 503
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'in_review' |

  @VR-R3.once @VR-R3.told
  Scenario: A reviewer whose move comes second learns the current status
    Given the case "c1" of "acme" is in_review
    When before the next change is stored, the reviewer "ravi" moves "c1" to rejected
    And the reviewer "rita" moves "c1" to approved
    Then the response is 409
    And the response contains "the case is now rejected, not in_review"
    And the item of "AuthBridgeTable" where "PK = 'CASE#{c1}' AND SK = 'META'" has:
      | status | 'rejected'                 |
      | GSI1SK | 'rejected#{opening of c1}' |
