// Package spark has Apache Spark run SQL queries: it writes relations over Parquet files, and queries over them, as one script of Spark
// SQL, whose results are folders of Parquet files, and runs the script with spark-sql.
//
// Queries come in the portable subset of SQL that folds keep to, and are translated into Spark's dialect here; functions.sql has the
// functions that both engines need. The package must not know what the queries compute, nor marts, lakes or DuckDB.
package spark
