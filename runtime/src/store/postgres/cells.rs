//! Cells as PostgreSQL takes and gives them, by the type of the column.

use crate::plan::cell::{Cell, CellRef};
use bytes::BytesMut;
use std::error::Error;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use uuid::Uuid;

impl ToSql for CellRef<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self, ty) {
            (Self::Null, _) => Ok(IsNull::Yes),
            (Self::Int(number), &Type::BOOL) => (*number != 0).to_sql(ty, out),
            (Self::Int(number), &Type::INT8) => number.to_sql(ty, out),
            (Self::Int(number), &Type::INT4) => i32::try_from(*number)?.to_sql(ty, out),
            (Self::Int(number), &Type::FLOAT8) => (*number as f64).to_sql(ty, out),
            (Self::Real(number), &Type::FLOAT8) => number.to_sql(ty, out),
            (Self::Uuid(id), &Type::UUID) => id.to_sql(ty, out),
            (Self::Text(text), &Type::TEXT | &Type::VARCHAR) => {
                out.extend_from_slice(text);
                Ok(IsNull::No)
            }
            (cell, ty) => Err(format!("{cell:?} is not a {ty}").into()),
        }
    }

    fn accepts(_: &Type) -> bool {
        // which value goes with which type is only known once there is one
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for CellRef<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(match *ty {
            Type::BOOL => Self::Int(bool::from_sql(ty, raw)?.into()),
            Type::INT8 => Self::Int(i64::from_sql(ty, raw)?),
            Type::INT4 => Self::Int(i32::from_sql(ty, raw)?.into()),
            Type::FLOAT8 => Self::Real(f64::from_sql(ty, raw)?),
            Type::UUID => Self::Uuid(Uuid::from_sql(ty, raw)?),
            _ => Self::Text(raw),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::BOOL | Type::INT8 | Type::INT4 | Type::FLOAT8 | Type::UUID | Type::TEXT | Type::VARCHAR)
    }
}

impl<'a> FromSql<'a> for Cell {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        CellRef::from_sql(ty, raw).map(CellRef::to_owned)
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        <CellRef<'_> as FromSql<'_>>::accepts(ty)
    }
}
