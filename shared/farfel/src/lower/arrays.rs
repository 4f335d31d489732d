//! Arrays: flat vectors, whose elements are in the order of columns.

use crate::check::entities::{Dimension, Extent, Origin, VarId, VarKind};
use crate::lower::Lowering;
use crate::syntax::tree::{Expr, ExprId};
use vlad_core::notes::{FRACTION, NotedArray, NotedDimension};
use vlad_core::source::Span;
use vlad_language::named::{Named, NamedPattern, Node, NodeId};
use vlad_language::names::NameId;
use vlad_table::Primitive;

impl Lowering<'_> {
    fn dimensions(&self, var: VarId) -> Vec<Dimension> {
        match &self.checked.entities.var(var).kind {
            VarKind::Array(_, dimensions) => dimensions.clone(),
            VarKind::Scalar(_) | VarKind::Procedure(_) | VarKind::State | VarKind::Depth => vec![],
        }
    }

    fn bound(&mut self, extent: Extent, span: Span) -> Option<NodeId> {
        match extent {
            Extent::Known(value) => Some(self.real(value, span)),
            Extent::Computed(var, _) => Some(self.var(var, span)),
            Extent::Assumed => None,
        }
    }

    /// Returns the number of indices of a dimension; none if the array given decides.
    fn extent(&mut self, dimension: Dimension, span: Span) -> Option<NodeId> {
        match (dimension.lower, dimension.upper) {
            (_, Extent::Assumed) => None,
            (Extent::Known(lower), Extent::Known(upper)) => Some(self.real((upper - lower + 1.0).max(0.0), span)),
            (Extent::Known(1.0), upper) => self.bound(upper, span),
            (lower, upper) => {
                let (lower, upper, one) = (self.bound(lower, span)?, self.bound(upper, span)?, self.real(1.0, span));
                let above = self.apply(Primitive::Add, vec![upper, one], span);
                Some(self.apply(Primitive::Subtract, vec![above, lower], span))
            }
        }
    }

    /// Returns the number of elements by the bounds of an array; an assumed bound counts as 1.
    pub(super) fn size(&mut self, var: VarId, span: Span) -> NodeId {
        let dimensions = self.dimensions(var);
        let known = dimensions.iter().map(|dimension| match (dimension.lower, dimension.upper) {
            (Extent::Known(lower), Extent::Known(upper)) => Some((upper - lower + 1.0).max(0.0)),
            _ => None,
        });
        if let Some(sizes) = known.collect::<Option<Vec<f64>>>() {
            return self.real(sizes.into_iter().product(), span);
        }
        let mut size: Option<NodeId> = None;
        for dimension in dimensions {
            let Some(extent) = self.extent(dimension, span) else { continue };
            let zero = self.real(0.0, span);
            let extent = self.apply(Primitive::Maximum, vec![zero, extent], span);
            size = Some(match size {
                Some(size) => self.apply(Primitive::Multiply, vec![size, extent], span),
                None => extent,
            });
        }
        size.unwrap_or_else(|| self.real(1.0, span))
    }

    /// Returns true if the last bound of an array is that of the array given.
    pub(super) fn has_assumed_size(&self, var: VarId) -> bool {
        self.dimensions(var).last().is_some_and(|dimension| dimension.upper == Extent::Assumed)
    }

    /// Checks that the array given for a parameter is as large as the parameter's bounds say.
    pub(super) fn check_size(&mut self, var: VarId, span: Span) {
        if self.has_assumed_size(var) && self.dimensions(var).len() == 1 {
            return;
        }
        let (size, array) = (self.size(var, span), self.var(var, span));
        let length = self.apply(Primitive::VectorLength, vec![array], span);
        let test = self.apply(Primitive::NotGreater, vec![size, length], span);
        let name = self.names.text(self.checked.entities.var(var).name).to_owned();
        let message = format!("the array given for {name} has fewer elements than its bounds say");
        self.require(test, &message, span);
    }

    /// Fails at run time with a message unless a test holds.
    pub(super) fn require(&mut self, test: NodeId, message: &str, span: Span) {
        let pattern = self.named.add_pattern(NamedPattern::Constant(Named::TRUE), span);
        let message = self.names.hidden(message);
        let body = self.named.reserve(span);
        let lambda = self.lambda(Some(message), pattern, body, span);
        let operator = self.lambda_node(lambda, span);
        self.fill(Node::Application(operator, test), span);
        self.hole = body;
    }

    /// Returns true if the vector of an array has the length that the bounds say.
    pub(super) fn is_exact(&self, var: VarId) -> bool {
        !matches!(self.checked.entities.var(var).origin, Origin::Parameter(_))
    }

    /// Returns an array with the elements of another, whose number is that of the bounds of both, in place of its first.
    pub(super) fn copied_elements(&mut self, into: NameId, from: NameId, sizes: [VarId; 2], span: Span) -> NodeId {
        let [first, second] = sizes.map(|var| self.element_count(var, span));
        let same = self.apply(Primitive::Equal, vec![first, second], span);
        self.require(same, "the derivative of a whole array has as many elements as the array", span);
        let (array, index) = (self.fresh(), self.fresh());
        let (source, place) = (self.name(from, span), self.name(index, span));
        let element = self.apply(Primitive::Get, vec![source, place], span);
        let (target, place) = (self.name(array, span), self.name(index, span));
        let body = self.apply(Primitive::VectorSet, vec![target, place, element], span);
        let pattern = self.pattern(&[array, index], span);
        let lambda = self.lambda(None, pattern, body, span);
        let lambda = self.lambda_node(lambda, span);
        let (initial, count) = (self.name(into, span), self.element_count(sizes[0], span));
        self.apply_named("ifold", vec![lambda, initial, count], span)
    }

    /// Returns the number of elements that an array has by its bounds, or by the array given where those do not say.
    pub(super) fn element_count(&mut self, var: VarId, span: Span) -> NodeId {
        if self.has_assumed_size(var) {
            let vector = self.var(var, span);
            self.apply(Primitive::VectorLength, vec![vector], span)
        } else {
            self.size(var, span)
        }
    }

    /// Returns the place of an element, from its subscripts; an index outside of its dimension gives a place that no
    /// vector has.
    pub(super) fn place(&mut self, var: VarId, subscripts: Vec<NodeId>, written: &[ExprId], span: Span) -> NodeId {
        let dimensions = self.dimensions(var);
        let last = dimensions.len().saturating_sub(1);
        let mut offsets = vec![];
        for ((subscript, dimension), written) in subscripts.into_iter().zip(&dimensions).zip(written) {
            offsets.push(self.offset(subscript, *dimension, *written));
        }
        let needs_check: Vec<bool> = dimensions
            .iter()
            .enumerate()
            .map(|(place, dimension)| dimension.upper != Extent::Assumed && (place < last || !self.is_exact(var)))
            .collect();
        if let ([offset], [false]) = (offsets.as_slice(), needs_check.as_slice()) {
            return *offset;
        }
        self.let_in(offsets, span, |lowering, offsets| lowering.checked_place(&dimensions, offsets, &needs_check, span))
    }

    /// Returns a subscript less the lower bound.
    fn offset(&mut self, subscript: NodeId, dimension: Dimension, written: ExprId) -> NodeId {
        let span = self.tree.span(written);
        match (self.tree.expr(written), dimension.lower) {
            (_, Extent::Known(0.0)) => subscript,
            (Expr::Integer(value), Extent::Known(lower)) => {
                // The constant is replaced by its place.
                let constant = self.named.add_constant(vlad_core::Constant::Real(value - lower));
                self.named.set(subscript, Node::Constant(constant));
                subscript
            }
            (_, lower) => match self.bound(lower, span) {
                Some(lower) => self.apply(Primitive::Subtract, vec![subscript, lower], span),
                None => subscript,
            },
        }
    }

    /// Returns a place that no vector has, from which notes tell the dimension and the offset in it.
    fn outside(&mut self, offset: NameId, dimension: usize, span: Span) -> NodeId {
        let (own, fraction) = (self.name(offset, span), self.real((dimension + 1) as f64 * FRACTION, span));
        self.apply(Primitive::Add, vec![own, fraction], span)
    }

    /// Notes that a node reads or assigns an element of an array.
    pub(super) fn note_element(&mut self, var: VarId, span: Span) {
        let array = match self.noted.get(&var) {
            Some(array) => *array,
            None => {
                let array = self.noted_array(var);
                let array = self.named.notes.add_array(array);
                self.noted.insert(var, array);
                array
            }
        };
        self.named.notes.add_element(span, array);
    }

    fn noted_array(&self, var: VarId) -> NotedArray {
        let known = |extent: Extent| match extent {
            Extent::Known(value) => Some(value),
            Extent::Computed(..) | Extent::Assumed => None,
        };
        let text = |extent: Extent| match extent {
            Extent::Known(value) => value.to_string(),
            Extent::Computed(_, bound) => match self.tree.expr(bound) {
                Expr::Name(name) => self.names.text(name).to_owned(),
                _ => "..".to_owned(),
            },
            Extent::Assumed => "*".to_owned(),
        };
        let dimensions = self.dimensions(var);
        let written = dimensions.iter().map(|dimension| match dimension.lower {
            Extent::Known(1.0) => text(dimension.upper),
            lower => format!("{}:{}", text(lower), text(dimension.upper)),
        });
        let written: Vec<String> = written.collect();
        let noted = dimensions.iter().map(|dimension| {
            let (lower, upper) = (known(dimension.lower), known(dimension.upper));
            NotedDimension { lower, extent: lower.zip(upper).map(|(lower, upper)| upper - lower + 1.0) }
        });
        let name = self.names.text(self.checked.entities.var(var).name);
        NotedArray { declared: format!("{name}({})", written.join(", ")), dimensions: noted.collect() }
    }

    fn checked_place(
        &mut self,
        dimensions: &[Dimension],
        offsets: &[NameId],
        needs_check: &[bool],
        span: Span,
    ) -> NodeId {
        let last = dimensions.len().saturating_sub(1);
        // From the last dimension: i + n (j + m (k ...)).
        let mut place: Option<NodeId> = None;
        for (dimension, offset) in dimensions.iter().zip(offsets).rev() {
            let own = self.name(*offset, span);
            place = Some(match place {
                None => own,
                Some(outer) => match self.extent(*dimension, span) {
                    Some(extent) => {
                        let outer = self.apply(Primitive::Multiply, vec![extent, outer], span);
                        self.apply(Primitive::Add, vec![own, outer], span)
                    }
                    None => own,
                },
            });
        }
        let mut place = place.unwrap_or_else(|| self.real(0.0, span));
        for (number, ((dimension, offset), needs_check)) in dimensions.iter().zip(offsets).zip(needs_check).enumerate()
        {
            if !needs_check {
                continue;
            }
            let Some(extent) = self.extent(*dimension, span) else { continue };
            let own = self.name(*offset, span);
            let below = self.apply(Primitive::Less, vec![own, extent], span);
            let outside = self.outside(*offset, number, span);
            place = self.choice(below, place, outside, span);
            // A negative offset of the last dimension makes the place negative.
            if number < last {
                let (own, zero) = (self.name(*offset, span), self.real(0.0, span));
                let above = self.apply(Primitive::NotLess, vec![own, zero], span);
                let outside = self.outside(*offset, number, span);
                place = self.choice(above, place, outside, span);
            }
        }
        place
    }
}
