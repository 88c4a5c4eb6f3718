package dev.errand.daemon.store.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The prepared statements of one connection, created on first use and cached. For one thread at a
 * time. The texts are constants of this package, so their number is limited.
 */
final class Statements implements AutoCloseable {
  private final Connection connection;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  Statements(Connection connection) {
    this.connection = connection;
  }

  /** Reads a value from the current row. */
  interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  PreparedStatement of(String sql) throws SQLException {
    var statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(sql);
      prepared.put(sql, statement);
    }
    return statement;
  }

  /** Returns the number of changed rows. */
  int update(String sql, @Nullable Object... values) throws SQLException {
    return bound(sql, values).executeUpdate();
  }

  <T> List<T> list(String sql, Mapper<T> mapper, @Nullable Object... values) throws SQLException {
    try (var result = bound(sql, values).executeQuery()) {
      var list = new ArrayList<T>();
      while (result.next()) {
        list.add(mapper.map(result));
      }
      return list;
    }
  }

  <T> Optional<T> first(String sql, Mapper<T> mapper, @Nullable Object... values)
      throws SQLException {
    try (var result = bound(sql, values).executeQuery()) {
      return result.next() ? Optional.of(mapper.map(result)) : Optional.empty();
    }
  }

  /** Returns the single number of the query. */
  long number(String sql, @Nullable Object... values) throws SQLException {
    try (var result = bound(sql, values).executeQuery()) {
      if (!result.next()) {
        throw new SQLException("no row where one is expected: " + sql);
      }
      return result.getLong(1);
    }
  }

  private PreparedStatement bound(String sql, @Nullable Object... values) throws SQLException {
    var statement = of(sql);
    for (var i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  /**
   * Closes all statements, which are then prepared again. Needed after a failure: the driver
   * finalizes a statement that failed for other reasons than a constraint, and its next use would
   * fail.
   */
  void forget() {
    for (var statement : prepared.values()) {
      try {
        statement.close();
      } catch (SQLException _) {
        // Closing a statement repeats the failure of its last run, which is known.
      }
    }
    prepared.clear();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
