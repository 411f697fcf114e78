/** Checks that a seat is booked once. */
class SeatsTest {
  public static void main(String[] args) {
    Seats seats = new Seats();
    seats.createTable();
    expect(seats.book("1A", "ana"), "ana gets the free seat");
    expect(!seats.book("1A", "bob"), "bob does not get it too");
  }

  private static void expect(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError("not true: " + what);
    }
  }
}
