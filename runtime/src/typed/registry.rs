//! Fragments of types, put together to one description.

use super::describe::UsedPart;
use super::wire::DescribedType;
use super::{Command, Describe, Shape, TypeDescription, Use};
use restwell_model::{self as model, Field, Service, Type};
use serde::de::DeserializeOwned;
use std::any::{TypeId, type_name};
use std::error::Error;
use std::fmt;

/// The fragments of a service: each registered type, and the objects and enums that it uses.
#[derive(Debug, Default)]
pub struct Registry {
    definitions: Vec<Fragment>,
    commands: Vec<CommandFragment>,
}

/// What a type said of itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fragment {
    id: TypeId,
    rust: &'static str,
    description: &'static TypeDescription,
}

/// A command, with what it said of itself and of its output.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommandFragment {
    on: &'static str,
    command: Fragment,
    output: Fragment,
}

// What is generic here is compiled for each type of a service: it only gets the fragments.
impl Registry {
    /// Registers a resource, an object or an enum, with the objects and enums that it uses. Once is enough: more
    /// changes nothing.
    pub fn add<T: Describe>(&mut self) {
        self.add_fragment(Fragment::of::<T>());
    }

    /// Registers a command of a resource. Its output's fields become the command's own.
    pub fn add_command<C: Command>(&mut self) {
        self.add_command_fragment(CommandFragment::of::<C>());
    }

    fn add_fragment(&mut self, fragment: Fragment) {
        if self.definitions.iter().all(|known| known.id != fragment.id) {
            self.definitions.push(fragment);
            self.add_used(fragment.description.uses);
        }
    }

    fn add_command_fragment(&mut self, fragment: CommandFragment) {
        if self.commands.iter().all(|known| known.command.id != fragment.command.id) {
            self.commands.push(fragment);
            self.add_used(fragment.command.description.uses);
            self.add_used(fragment.output.description.uses);
        }
    }

    fn add_used(&mut self, uses: &[Use]) {
        for used in uses {
            match used.part {
                UsedPart::Nested(fragment) => self.add_fragment(fragment()),
                UsedPart::Command(fragment) => self.add_command_fragment(fragment()),
                UsedPart::Resource(_) => {}
            }
        }
    }

    /// What a type alone describes, with the objects and enums that it uses.
    ///
    /// # Errors
    ///
    /// The description contradicts itself.
    pub(super) fn describing<T: Describe>() -> Result<(DescribedType, Service), String> {
        let mut registry = Self::default();
        registry.add::<T>();
        registry.described(&Fragment::of::<T>()).map_err(|error| error.to_string())
    }

    fn described(&self, of: &Fragment) -> Result<(DescribedType, Service), AssemblyError> {
        if let Some(clash) = self.clashes().into_iter().next() {
            return Err(clash);
        }
        let mut service = Service::new("");
        for fragment in self.definitions.iter().filter(|it| matches!(it.description.shape, Shape::Object | Shape::Enum))
        {
            fragment.define(&mut service)?;
        }
        let mut fields = match of.description.shape {
            Shape::Enum => return Ok((DescribedType::Enum, service)),
            Shape::Object => of.read::<model::Object>()?.fields,
            Shape::Resource => {
                let mut resource: model::Resource = of.read()?;
                of.name_types(&mut resource.fields);
                return Ok((DescribedType::Resource(Box::new(resource)), service));
            }
            Shape::Command => of.read::<model::Command>()?.input,
        };
        of.name_types(&mut fields);
        Ok((DescribedType::Fields(fields), service))
    }

    /// Puts everything that was registered into a service.
    ///
    /// # Errors
    ///
    /// All that does not fit together.
    pub fn assemble(&self, mut service: Service) -> Result<Service, Vec<AssemblyError>> {
        let mut errors = self.clashes();
        for fragment in &self.definitions {
            if let Err(error) = fragment.define(&mut service) {
                errors.push(error);
            }
        }
        for fragment in &self.commands {
            if let Err(error) = fragment.define(&mut service) {
                errors.push(error);
            }
        }
        service.sort();
        if errors.is_empty() { Ok(service) } else { Err(errors) }
    }

    /// Different types under one name.
    fn clashes(&self) -> Vec<AssemblyError> {
        let later = self.definitions.iter().enumerate();
        later
            .filter_map(|(index, second)| {
                let first =
                    self.definitions[..index].iter().find(|first| first.description.name == second.description.name)?;
                Some(AssemblyError::SameName { name: first.description.name, first: first.rust, second: second.rust })
            })
            .collect()
    }
}

impl Fragment {
    pub(super) fn of<T: Describe>() -> Self {
        Self { id: const { TypeId::of::<T>() }, rust: type_name::<T>(), description: const { &T::DESCRIPTION } }
    }

    fn define(&self, service: &mut Service) -> Result<(), AssemblyError> {
        match self.description.shape {
            Shape::Enum => service.enums.push(self.read()?),
            Shape::Object => {
                let mut object: model::Object = self.read()?;
                self.name_types(&mut object.fields);
                service.objects.push(object);
            }
            Shape::Resource => {
                let mut resource: model::Resource = self.read()?;
                self.name_types(&mut resource.fields);
                service.resources.push(resource);
            }
            Shape::Command => return Err(AssemblyError::LoneCommand { rust: self.rust }),
        }
        Ok(())
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, AssemblyError> {
        serde_json::from_str(self.description.model)
            .map_err(|error| AssemblyError::Fragment { rust: self.rust, problem: error.to_string() })
    }

    /// Types are called what the model calls them, no longer what the author of the fragment wrote.
    fn name_types(&self, fields: &mut [Field]) {
        for field in fields {
            let ty = match &mut field.ty {
                Type::Array { items, .. } => items,
                other => other,
            };
            if let Type::Named { name } | Type::Ref { to: name, .. } = ty
                && let Some(used) = self.description.uses.iter().find(|used| used.written == name)
                && let UsedPart::Nested(fragment) | UsedPart::Resource(fragment) = used.part
            {
                fragment().description.name.clone_into(name);
            }
        }
    }
}

impl CommandFragment {
    pub(super) fn of<C: Command>() -> Self {
        Self { on: C::On::NAME, command: Fragment::of::<C>(), output: Fragment::of::<C::Output>() }
    }

    fn define(&self, service: &mut Service) -> Result<(), AssemblyError> {
        let mut command: model::Command = self.command.read()?;
        self.command.name_types(&mut command.input);
        let mut output: model::Object = self.output.read()?;
        self.output.name_types(&mut output.fields);
        command.output = output.fields;
        let Some(resource) = service.resources.iter_mut().find(|resource| resource.name == self.on) else {
            return Err(AssemblyError::NoResource { command: self.command.rust, resource: self.on });
        };
        if resource.commands.iter().any(|known| known.name == command.name) {
            return Err(AssemblyError::SameCommand { name: self.command.description.name, resource: self.on });
        }
        resource.commands.push(command);
        Ok(())
    }
}

/// Registered types that do not fit together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AssemblyError {
    /// Two types say that they are the same definition.
    SameName {
        /// The name in the model.
        name: &'static str,
        /// The Rust type registered first.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// Two commands of one resource have one name.
    SameCommand {
        /// The command's name.
        name: &'static str,
        /// The resource.
        resource: &'static str,
    },
    /// A command's resource is not registered.
    NoResource {
        /// The command's Rust type.
        command: &'static str,
        /// The resource's name in the model.
        resource: &'static str,
    },
    /// A command was registered as a definition.
    LoneCommand {
        /// The command's Rust type.
        rust: &'static str,
    },
    /// A fragment is not what its shape says: written by hand, or derived by another version of the library.
    Fragment {
        /// The Rust type.
        rust: &'static str,
        /// What the reader of the fragment said.
        problem: String,
    },
}

impl fmt::Display for AssemblyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SameName { name, first, second } => {
                write!(f, "two types are called `{name}`: `{first}` and `{second}`; rename one of them")
            }
            Self::SameCommand { name, resource } => write!(f, "`{resource}` has two commands called `{name}`"),
            Self::NoResource { command, resource } => {
                write!(
                    f,
                    "`{command}` is a command on `{resource}`, which is not registered; add `.resource::<{resource}>()`"
                )
            }
            Self::LoneCommand { rust } => write!(f, "`{rust}` is a command; register it with `.command::<{rust}>()`"),
            Self::Fragment { rust, problem } => write!(f, "the description of `{rust}` cannot be read: {problem}"),
        }
    }
}

impl Error for AssemblyError {}
