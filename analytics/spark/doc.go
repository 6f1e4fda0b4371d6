// Package spark hands work in SQL over to Apache Spark: it writes relations over Parquet files and queries over them as one script of Spark
// SQL, whose results are folders of Parquet files, and runs the script with spark-sql.
//
// Queries come in the portable subset of SQL that folds keep to and are put into Spark's words here; the functions that both engines must
// have are in functions.sql. It must not know what the queries compute, of marts, of a lake or of DuckDB.
package spark
