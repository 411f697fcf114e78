Feature: Who may do what with the kefir tracker
  Every operation of its OpenAPI document is asked for with every kind of credential. docs/access.md shows what must come of each.

  @KF-R8.access
  Scenario: Nobody without a valid credential gets anything from the kefir tracker
    When every operation is tried with each credential that does not open it
    Then each is refused as its document says
    And no answer tells anything of "ana"
    And nothing was looked up but whose credential it is

  @KF-R8.others
  Scenario: Nobody reaches another brewer's things by any operation of the kefir tracker
    When somebody else asks for every operation on what is "ana"'s
    Then each is as absent as what there never was, or the caller's own
    And no answer tells anything of "ana"
    And what is "ana"'s is as it was
    And nothing was looked up but whose it is

  @KF-R8.access
  Scenario: Whoever may use an operation of the kefir tracker can
    When every operation is tried with each credential that opens it
    Then each is done
    And who may do what is as docs/access.md says

  @KF-R8.access @KF-R8.private
  Scenario: What is open to everybody in the kefir tracker is meant to be
    When what is open to everybody is tried with every credential
    Then each answers, and is meant to be open
    And no answer tells anything of "ana"
